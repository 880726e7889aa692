/** Names as they are compared: without their case, spacing and Unicode form. */
export const foldName = (name: string): string => name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()

/** Folds as names are compared, and drops accents and apostrophes, which people often omit. */
export const foldText = (text: string): string =>
  foldName(text)
    .normalize('NFD')
    .replace(/[\p{M}'‘’ʼʻ‛′`´]/gu, '')
    .replace(/[łøđðħŧıæœßþ]/g, (letter) => plain[letter]!)

/** Letters that Unicode does not decompose into a plain letter and a mark. */
const plain: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  þ: 'th',
}
