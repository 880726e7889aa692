/** The range that holds all keys of a namespace: Keyv writes `namespace:key`, and `;` is the character after `:`. */
export const keysOf = (namespace: string | undefined): [from: string, to: string] =>
  namespace ? [`${namespace}:`, `${namespace};`] : ['', '\u{10FFFF}']
