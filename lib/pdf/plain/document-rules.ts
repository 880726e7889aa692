/** How documents that an organization sends are treated, depending on whether they are plain. */
export const documentRules = ['auto', 'draw', 'refuse'] as const

/** `auto` draws what is not plain, `draw` draws every document, `refuse` refuses what is not plain. */
export type DocumentRule = (typeof documentRules)[number]
