#if canImport(SwiftUI)
  import Paging
  import PagingUI
  import SwiftUI

  nonisolated struct Message: Identifiable, Codable {
    var id: Int
    var isMine: Bool
    var text: String
  }

  /// A conversation, the newest message at the bottom: it follows what comes, unless the reader has scrolled up.
  struct ConversationScreen: View {
    /// Made with `PagedList(pager, followsEnd: true, isOwn: \.isMine)`.
    let messages: PagedList<Message>
    @State private var place: PagingRow<Message>.ID?

    var body: some View {
      ScrollViewReader { proxy in
        ScrollView {
          LazyVStack {
            PagedRows(messages) { message in
              Text(message.text)
            } placeholder: {
              Text("…")
            }
          }
          .scrollTargetLayout()
        }
        .scrollPosition(id: $place)
        .reportsVisibleRows(of: messages)
        .followsEnd(of: messages, by: proxy)
        .overlay(alignment: .bottom) {
          if messages.unseenRowsAtEnd > 0 { Text("\(messages.unseenRowsAtEnd) new") }
        }
      }
    }
  }
#endif
