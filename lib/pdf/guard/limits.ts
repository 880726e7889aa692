/** How much one document may ask of us. Numbers only. */
import { defaultProfile } from '../../profile/parse-profile.ts'

export interface PdfLimits {
  /** Decoded size of the attachment, in bytes. */
  maxBytes: number
  /** Pages of the document. */
  maxPages: number
  /** Pages of a document that has to be drawn. */
  maxDrawnPages: number
  /** Limit on one expanded stream, in bytes. */
  maxStreamBytes: number
  /** Limit on all expanded streams together, in bytes. */
  maxTotalBytes: number
  /** Streams in the document. */
  maxStreams: number
  /** Filters one stream may be wrapped in. */
  maxFilters: number
  /** How often one part of a page may draw others, counted through all levels. */
  maxNestedDrawings: number
  /** Sides of a page as it is shown, in points. */
  minPageSide: number
  /** The longest side of a page, in points. */
  maxPageSide: number
  /** Bytes of content that a viewer goes through to draw one page, each as often as it does. */
  maxPageWork: number
  /** Pixels of the pictures of one page, each as often as it is drawn, and of those of all pages. */
  maxPagePixels: number
  /** Pixels of all pictures that the pages of a document draw, each as often as it is drawn. */
  maxDocumentPixels: number
  /** Pixels of one picture in a row or a column. */
  maxImageSide: number
  /** How often the cell of a pattern shows where it fills a page. */
  maxTiles: number
  /** How deeply the parts of a page may draw each other. */
  maxDrawingDepth: number
  /** Limit of a job that reads a document, in milliseconds; waiting for a processor does not count. */
  readTimeoutMs: number
  /** The same for a job that draws the pages of a document. */
  drawTimeoutMs: number
  /** The same for a job that stamps and seals a document. */
  completeTimeoutMs: number
  /**
   * The same for the rehearsal of that, before a signer sees the document: less than signing may take, so that what passed
   * here can be signed when the machine is busy.
   */
  rehearseTimeoutMs: number
  /** Added for each page whose text has to be read beyond the first fifty. */
  pageTimeoutMs: number
  /** The same in a rehearsal of signing. */
  rehearsePageTimeoutMs: number
  /** Growth of the process while one job runs, in bytes, at which the job is ended. */
  maxGrowthBytes: number
  /** The same for a document that is signed: the largest that is accepted is stamped, compared, sealed and verified in memory. */
  maxGrowthToCompleteBytes: number
  /** The same for the rehearsal of that. */
  maxGrowthToRehearseBytes: number
}

const MIB = 1024 * 1024

/** Far above what documents need that people sign, and far below what would hurt the service. */
export const defaultLimits: PdfLimits = {
  // Scanned orders stay below. choice: Attachment size
  maxBytes: defaultProfile.limits.attachmentBytes,
  maxPages: 500,
  maxDrawnPages: 250,
  maxStreamBytes: 32 * MIB,
  maxTotalBytes: 64 * MIB,
  maxStreams: 20_000,
  maxFilters: 8,
  maxNestedDrawings: 20_000,
  // Up to the 200 inches of Acrobat.
  minPageSide: 1,
  maxPageSide: 14_400,
  maxPageWork: 16 * MIB,
  // A page of A3 that was scanned at 600 dpi has 70 million.
  maxPagePixels: 250_000_000,
  maxDocumentPixels: 8_000_000_000,
  maxImageSide: 32_767,
  // A hatching of 2 points on a page of Letter shows 156,816 times.
  maxTiles: 200_000,
  maxDrawingDepth: 20,
  readTimeoutMs: 2_000,
  drawTimeoutMs: 5_000,
  completeTimeoutMs: 10_000,
  rehearseTimeoutMs: 5_000,
  pageTimeoutMs: 40,
  rehearsePageTimeoutMs: 20,
  maxGrowthBytes: 256 * MIB,
  maxGrowthToCompleteBytes: 512 * MIB,
  maxGrowthToRehearseBytes: 384 * MIB,
}
