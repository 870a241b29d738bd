// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals

public import CoreGraphics

// Constants of C, which may be read from everywhere.
public var kCGImagePropertyPixelWidth: CFString { "" }
public var kCGImagePropertyPixelHeight: CFString { "" }
public var kCGImagePropertyOrientation: CFString { "" }
public var kCGImagePropertyGIFDictionary: CFString { "" }
public var kCGImagePropertyGIFUnclampedDelayTime: CFString { "" }
public var kCGImagePropertyGIFDelayTime: CFString { "" }
public var kCGImagePropertyGIFLoopCount: CFString { "" }
public var kCGImagePropertyPNGDictionary: CFString { "" }
public var kCGImagePropertyAPNGUnclampedDelayTime: CFString { "" }
public var kCGImagePropertyAPNGDelayTime: CFString { "" }
public var kCGImagePropertyAPNGLoopCount: CFString { "" }
public var kCGImagePropertyWebPDictionary: CFString { "" }
public var kCGImagePropertyWebPUnclampedDelayTime: CFString { "" }
public var kCGImagePropertyWebPDelayTime: CFString { "" }
public var kCGImagePropertyWebPLoopCount: CFString { "" }
public var kCGImagePropertyHEICSDictionary: CFString { "" }
public var kCGImagePropertyHEICSUnclampedDelayTime: CFString { "" }
public var kCGImagePropertyHEICSDelayTime: CFString { "" }
public var kCGImagePropertyHEICSLoopCount: CFString { "" }
public var kCGImageSourceCreateThumbnailFromImageAlways: CFString { "" }
public var kCGImageSourceCreateThumbnailWithTransform: CFString { "" }
public var kCGImageSourceShouldCacheImmediately: CFString { "" }
public var kCGImageSourceThumbnailMaxPixelSize: CFString { "" }
