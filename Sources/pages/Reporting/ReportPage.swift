/// A page that stands alone: its style is in it, and nothing is fetched from anywhere.
enum ReportPage {
  /// A page of that title and those parts.
  static func html(title: String, _ parts: [String]) -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(markup(title))</title>
    <style>
    \(style)
    </style>
    </head>
    <body>
    \(parts.joined(separator: "\n"))
    </body>
    </html>

    """
  }

  // The colours of the series keep their distance from one another and from the ground, by day and by night; shapes
  // help.
  private static let style = """
    :root { --ground: #fcfcfb; --ink: #16181d; --dim: #5a6070; --grid: #e3e5ea; --axis: #9aa0ad; --card: #ffffff;
      --c1: #2467c9; --c2: #c2571a; --c3: #12805c; --c4: #8a4fbf; --c5: #b8325f; --c6: #7a6a00; --c7: #0d7f96;
      --c8: #6b4a2b; }
    @media (prefers-color-scheme: dark) {
      :root { --ground: #14161a; --ink: #eceef2; --dim: #a5abb8; --grid: #2b2f37; --axis: #6d7482; --card: #1b1e24;
        --c1: #6ea8ff; --c2: #f08a4b; --c3: #3fc496; --c4: #c08cf0; --c5: #f2729b; --c6: #cdb93a; --c7: #4cc3da;
        --c8: #c9a27e; } }
    body { margin: 0 auto; max-width: 1320px; padding: 24px 20px 60px; background: var(--ground); color: var(--ink);
      font: 15px/1.5 system-ui, sans-serif; }
    h1 { font-size: 24px; margin: 0 0 4px; } h2 { font-size: 19px; margin: 36px 0 4px; }
    h3 { font-size: 16px; margin: 24px 0 6px; } p { margin: 4px 0 10px; max-width: 76ch; } .dim { color: var(--dim); }
    code { font: 13px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
    .plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 360px), 1fr)); gap: 14px; }
    figure { margin: 0; background: var(--card); border: 1px solid var(--grid); border-radius: 8px; padding: 8px; }
    svg { display: block; width: 100%; height: auto; } .wide { max-width: 760px; }
    .label { font: 12px system-ui, sans-serif; fill: var(--dim); }
    .number { font: 12px system-ui, sans-serif; fill: var(--ink); }
    .title { font: 600 14px system-ui, sans-serif; fill: var(--ink); }
    .grid { stroke: var(--grid); } .axis { stroke: var(--axis); } .line { fill: none; stroke-width: 2; }
    .mark { stroke: var(--card); stroke-width: 1; } .thin { stroke-width: 2; } .thick { stroke-width: 8; opacity: .55; }
    .s1 { --c: var(--c1); } .s2 { --c: var(--c2); } .s3 { --c: var(--c3); } .s4 { --c: var(--c4); }
    .s5 { --c: var(--c5); } .s6 { --c: var(--c6); } .s7 { --c: var(--c7); } .s8 { --c: var(--c8); }
    .line, .thin, .thick { stroke: var(--c); } .mark { fill: var(--c); }
    .legend { display: flex; flex-wrap: wrap; gap: 4px 18px; padding: 0; margin: 0 0 10px; list-style: none; }
    .legend svg { display: inline-block; width: 16px; height: 16px; vertical-align: -3px; margin-right: 5px; }
    .table { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
    th, td { padding: 4px 10px; text-align: right; border-bottom: 1px solid var(--grid); white-space: nowrap; }
    th { font-weight: 600; color: var(--dim); }
    """
}
