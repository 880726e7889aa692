/** Names as they are compared: whatever their case, their spacing and the Unicode form of their letters. */
export const foldName = (name: string): string => name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
