/** How much one document may ask of us. Numbers only. */
import { defaultProfile } from '../../profile/parse-profile.ts'

export interface PdfLimits {
  /** Decoded size of the attachment, in bytes. */
  maxBytes: number
  /** Pages of the document. */
  maxPages: number
  /** What one stream may expand to, in bytes. */
  maxStreamBytes: number
  /** What all streams together may expand to, in bytes. */
  maxTotalBytes: number
  /** Streams in the document. */
  maxStreams: number
  /** Filters one stream may be wrapped in. */
  maxFilters: number
  /** How often one part of a page may draw others, counted through all levels. */
  maxNestedDrawings: number
  /** Limit of a job that reads a document, in milliseconds; waiting for a processor does not count. */
  readTimeoutMs: number
  /** The same for a job that stamps and seals a document. */
  completeTimeoutMs: number
  /** Added for each page whose text has to be read beyond the first fifty. */
  pageTimeoutMs: number
  /** Growth of the process while one job runs, in bytes, at which the job is ended. */
  maxGrowthBytes: number
  /** The same for a document that is signed: the largest that is accepted is stamped, compared, sealed and verified in memory. */
  maxGrowthToCompleteBytes: number
}

const MIB = 1024 * 1024

/** Far above what documents need that people sign, and far below what would hurt the service. */
export const defaultLimits: PdfLimits = {
  // Scanned orders stay below. choice: Attachment size
  maxBytes: defaultProfile.limits.attachmentBytes,
  maxPages: 500,
  maxStreamBytes: 32 * MIB,
  maxTotalBytes: 64 * MIB,
  maxStreams: 20_000,
  maxFilters: 8,
  maxNestedDrawings: 20_000,
  readTimeoutMs: 2_000,
  completeTimeoutMs: 10_000,
  pageTimeoutMs: 40,
  maxGrowthBytes: 256 * MIB,
  maxGrowthToCompleteBytes: 512 * MIB,
}
