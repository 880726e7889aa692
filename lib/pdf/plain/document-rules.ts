/** What becomes of documents that an organization sends, by whether they are plain. */
export const documentRules = ['auto', 'draw', 'refuse'] as const

/** `auto` draws what is not plain, `draw` draws every document, `refuse` refuses what is not plain. */
export type DocumentRule = (typeof documentRules)[number]
