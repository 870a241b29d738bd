import Loading

/// Pictures for the rows of a demo: a mosaic for each, made of its number, as servers give to people who have no portrait.
enum DemoPictures {
  /// `rows` with the URL of a picture in each, on a server at `base`.
  static func adding(to rows: ServedRows, at base: String) -> ServedRows {
    ServedRows(count: rows.count) { index in
      rows[index].dropLast() + ", \"image\": \(jsonString("\(base)/\(index).png"))}"
    }
  }

  /// Answers a request for a picture.
  static func reply(to request: ServedRequest) -> ServedReply {
    guard request.path.hasPrefix("/"), request.path.hasSuffix(".png"),
      let number = UInt64(request.path.dropFirst().dropLast(4))
    else { return .refusal(404, "no such picture") }
    var reply = ServedReply(body: .bytes(picture(number)))
    reply.headers = [("Content-Type", "image/png"), ("Cache-Control", "max-age=86400")]
    return reply
  }

  /// The picture of a number: five by five fields, the same on both sides.
  static func picture(_ number: UInt64) -> [UInt8] {
    var chance = SeededGenerator(seed: number &* 0x9E37_79B9_7F4A_7C15 &+ 1)
    func shade(_ range: ClosedRange<UInt8>) -> UInt8 { UInt8.random(in: range, using: &chance) }
    let ground = PlainPNG.Color(red: shade(200...240), green: shade(200...240), blue: shade(200...240))
    let inks = (0..<2).map { _ in PlainPNG.Color(red: shade(20...220), green: shade(20...180), blue: shade(20...220)) }
    let fields = (0..<15).map { _ in UInt8.random(in: 0...2, using: &chance) }
    return PlainPNG.file(width: 80, height: 80, palette: [ground] + inks) { x, y in
      let column = x / 16
      return fields[y / 16 * 3 + min(column, 4 - column)]
    }
  }
}
