/** Names as they are compared: without their case, spacing and Unicode form. */
export const foldName = (name: string): string => name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
