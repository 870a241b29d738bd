#if !canImport(ImageIO) && HEIC
  import CHEIF

  /// A file that libheif has open, with its first picture.
  final class HEIFFile {
    private let context: OpaquePointer
    private let handle: OpaquePointer
    /// As its transformations leave it, upright.
    let size: PixelSize

    /// - Parameters:
    ///   - bytes: Not copied: they must outlive the file.
    ///   - maxSide: What libheif refuses by itself.
    /// - Throws: ``ImageCodecError``.
    init(_ bytes: UnsafeRawBufferPointer, maxSide: Int) throws(ImageCodecError) {
      guard let context = heif_context_alloc() else { throw HEIFFailure.noMemory }
      self.context = context
      heif_context_set_maximum_image_size_limit(context, Int32(clamping: max(1, maxSide)))
      // Decodes run beside one another already.
      heif_context_set_max_decoding_threads(context, 0)
      var handle: OpaquePointer?
      do throws(ImageCodecError) {
        try HEIFFailure.check(
          heif_context_read_from_memory_without_copy(context, bytes.baseAddress, bytes.count, nil))
        try HEIFFailure.check(heif_context_get_primary_image_handle(context, &handle))
        guard let handle else { throw HEIFFailure.noPicture }
        let size = PixelSize(
          width: Int(heif_image_handle_get_width(handle)), height: Int(heif_image_handle_get_height(handle)))
        // A file that crops all away.
        guard size.width > 0, size.height > 0 else { throw HEIFFailure.noPicture }
        (self.handle, self.size) = (handle, size)
      } catch {
        if let handle { heif_image_handle_release(handle) }
        heif_context_free(context)
        throw error
      }
    }

    deinit {
      heif_image_handle_release(handle)
      heif_context_free(context)
    }

    /// Decodes the picture, whole.
    func decode() throws(ImageCodecError) -> Picture {
      guard let options = heif_decoding_options_alloc() else { throw HEIFFailure.noMemory }
      defer { heif_decoding_options_free(options) }
      options.pointee.convert_hdr_to_8bit = 1
      var image: OpaquePointer?
      try HEIFFailure.check(
        heif_decode_image(handle, &image, heif_colorspace_RGB, heif_chroma_interleaved_RGBA, options))
      guard let image else { throw HEIFFailure.noPicture }
      return try Picture(image, isMultiplied: heif_image_handle_is_premultiplied_alpha(handle) != 0)
    }

    /// What turns the colours into sRGB, where they need it.
    func colors() -> ColorConversion? {
      let length = heif_image_handle_get_raw_color_profile_size(handle)
      if length > 0, length <= 4 << 20 {
        var profile = [UInt8](repeating: 0, count: length)
        guard heif_image_handle_get_raw_color_profile(handle, &profile).code == heif_error_Ok else { return nil }
        return profile.withUnsafeBytes { ColorConversion(icc: $0) }
      }
      var numbers: UnsafeMutablePointer<heif_color_profile_nclx>?
      guard heif_image_handle_get_nclx_color_profile(handle, &numbers).code == heif_error_Ok, let numbers else {
        return nil
      }
      defer { heif_nclx_color_profile_free(numbers) }
      let (primaries, transfer) = (numbers.pointee.color_primaries, numbers.pointee.transfer_characteristics)
      return ColorConversion(ColorCodePoints(primaries: Int(primaries.rawValue), transfer: Int(transfer.rawValue)))
    }

    /// Pixels that belong to libheif until the last reference goes.
    final class Picture {
      private let image: OpaquePointer
      let size: PixelSize
      let start: UnsafePointer<UInt8>
      /// Bytes from one row to the next.
      let stride: Int
      /// Whether the colours are multiplied by alpha.
      let isMultiplied: Bool

      fileprivate init(_ image: OpaquePointer, isMultiplied: Bool) throws(ImageCodecError) {
        var stride: Int32 = 0
        let start = heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride)
        let width = Int(heif_image_get_width(image, heif_channel_interleaved))
        guard let start, width > 0, Int(stride) >= 4 * width else {
          heif_image_release(image)
          throw HEIFFailure.noPicture
        }
        self.image = image
        self.start = start
        self.stride = Int(stride)
        self.isMultiplied = isMultiplied
        size = PixelSize(width: width, height: Int(heif_image_get_height(image, heif_channel_interleaved)))
      }

      deinit { heif_image_release(image) }
    }
  }

  /// libheif's errors as this module tells them.
  private enum HEIFFailure {
    static let noMemory = ImageCodecError(.limit, message: "libheif has no memory for the picture")
    static let noPicture = ImageCodecError(.corrupt, message: "the HEIC file has no picture")

    static func check(_ error: heif_error) throws(ImageCodecError) {
      guard error.code != heif_error_Ok else { return }
      let text = error.message.map { String(cString: $0) } ?? "no reason given"
      switch (error.code, error.subcode) {
      case (_, heif_suberror_Security_limit_exceeded), (heif_error_Memory_allocation_error, _):
        throw ImageCodecError(.limit, message: "libheif refuses the picture for its size: \(text)")
      case (_, heif_suberror_End_of_data):
        throw ImageCodecError(.truncated, message: "the HEIC file ends too early: \(text)")
      case (heif_error_Unsupported_filetype, _), (heif_error_Unsupported_feature, _),
        (heif_error_Plugin_loading_error, _):
        throw ImageCodecError(
          .unsupported, message: "libheif can't decode this: \(text); it may lack a plugin for the codec")
      default:
        throw ImageCodecError(.corrupt, message: "the HEIC file is damaged: \(text)")
      }
    }
  }
#endif
