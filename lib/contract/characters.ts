/** Counts text as people do: a character outside the basic plane, such as an emoji, is one, though JavaScript counts two. */

export const characterCount = (text: string): number => [...text].length

/** Returns the text, cut to the given number of characters. */
export const firstCharacters = (text: string, count: number): string =>
  text.length <= count ? text : [...text].slice(0, count).join('')
