package import Foundation
package import LoadingHTTP
import Paging

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The lists that a GraphQL server has, as its schema tells them, with a query that walks each.
///
/// A list is a connection: a field of the root that takes a cursor as `after` and whose type has `edges` and
/// `pageInfo`. Source: Relay's "GraphQL Cursor Connections Specification"; GraphQL, section 4 (introspection).
package struct GraphQLLists: Sendable {
  /// One list.
  package struct List: Sendable, Hashable {
    /// The field's name.
    package let name: String
    /// The type of its rows.
    package let rowType: String
    /// Asks for a page of it: variables `first` and `after`; of the rows all that is no object.
    package let query: String
  }

  /// The query that asks a server for its schema.
  package static let question = """
    { __schema { queryType { name } types { kind name fields { name type { ...T } args { name type { ...T } } } } } } \
    fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }
    """

  /// The lists in the order of the schema.
  package let lists: [List]

  /// Reads the answer to ``question``; nil where it is none, as of a server that keeps its schema to itself.
  package init?(_ body: JSONValue) {
    let schema = body.value(at: ["data", "__schema"])
    guard let root = schema?.value(at: ["queryType", "name"])?.text, let types = schema?["types"]?.elements else {
      return nil
    }
    var fields: [String: [JSONValue]] = [:]
    for type in types where type["kind"]?.text != "SCALAR" && type["kind"]?.text != "ENUM" {
      if let name = type["name"]?.text { fields[name] = type["fields"]?.elements ?? [] }
    }
    lists = (fields[root] ?? []).compactMap { Self.list($0, in: fields) }
  }

  /// The list that a field of the root is; nil where it is none.
  ///
  /// - Parameter fields: The fields of all types that have some.
  private static func list(_ field: JSONValue, in fields: [String: [JSONValue]]) -> List? {
    guard let name = field["name"]?.text, let connection = typeName(field["type"]),
      let members = fields[connection], members.contains(where: { $0["name"]?.text == "pageInfo" }),
      let edges = members.first(where: { $0["name"]?.text == "edges" }), let edge = typeName(edges["type"]),
      let node = fields[edge]?.first(where: { $0["name"]?.text == "node" }), let rowType = typeName(node["type"])
    else { return nil }
    let arguments = field["args"]?.elements ?? []
    func type(of name: String) -> String? {
      arguments.first { $0["name"]?.text == name }.flatMap { written($0["type"]) }
    }
    // What has to be given and isn't known here makes a list that can't be asked for.
    guard let after = type(of: "after"), !arguments.contains(where: isRequired) else { return nil }
    let scalars = (fields[rowType] ?? []).filter { isPlain($0, in: fields) }.compactMap { $0["name"]?.text }
    let row = scalars.isEmpty ? "__typename" : scalars.joined(separator: " ")
    let first = type(of: "first")
    let variables = (first.map { ["$first: \($0)"] } ?? []) + ["$after: \(after)"]
    let values = (first == nil ? [] : ["first: $first"]) + ["after: $after"]
    return List(
      name: name, rowType: rowType,
      query: "query(\(variables.joined(separator: ", "))) { \(name)(\(values.joined(separator: ", "))) "
        + "{ edges { node { \(row) } } pageInfo { hasNextPage endCursor } } }")
  }

  /// A field that needs no arguments and has no fields itself.
  private static func isPlain(_ field: JSONValue, in fields: [String: [JSONValue]]) -> Bool {
    guard let type = typeName(field["type"]), fields[type] == nil else { return false }
    return !(field["args"]?.elements ?? []).contains(where: isRequired)
  }

  private static func isRequired(_ argument: JSONValue) -> Bool {
    argument.value(at: ["type", "kind"])?.text == "NON_NULL"
  }

  /// The name of a type without what is wrapped around it.
  private static func typeName(_ type: JSONValue?) -> String? {
    var type = type
    while let inner = type {
      if let name = inner["name"]?.text { return name }
      type = inner["ofType"]
    }
    return nil
  }

  /// A type as it is written in a query.
  private static func written(_ type: JSONValue?) -> String? {
    guard let type else { return nil }
    switch type["kind"]?.text {
    case "NON_NULL": return written(type["ofType"]).map { $0 + "!" }
    case "LIST": return written(type["ofType"]).map { "[" + $0 + "]" }
    default: return type["name"]?.text
    }
  }
}

extension GraphQLLists {
  /// Asks the server at `url` which lists it has; nil where its answer holds no schema.
  ///
  /// - Throws: ``HTTPPageError`` where it refuses, by status or by `errors`, as servers do that keep their schema to
  ///   themselves; what the transport throws.
  package static func ask(
    _ url: URL, config: HTTPPageSourceConfig, transport: any HTTPTransport
  ) async throws -> GraphQLLists? {
    let requests = PageRequests(url, config: config) { _, request in request.post(["query": .string(question)]) }
    let page = PageRequest()
    let reply = try await transport.send(try requests.request(for: page))
    guard (200..<300).contains(reply.status) else { throw ReplyDiagnosis.refusal(reply, of: page, KeyRefusals()) }
    guard let body = JSONValue(json: reply.body) else { return nil }
    if let lists = GraphQLLists(body) { return lists }
    if body["errors"] != nil { throw ReplyDiagnosis.refusal(inBodyOf: reply, of: page, KeyRefusals()) }
    return nil
  }
}
