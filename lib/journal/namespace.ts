/** How the keys of one namespace are kept apart from those of others in one database. */

export const placeOf = (namespace: string, key: string): string => `${namespace}:${key}`

export const keyAt = (namespace: string, place: string): string => place.slice(namespace.length + 1)

/** The range of all places of a namespace, by bytes: `;` is the character after `:`. */
export const rangeOf = (namespace: string): [from: string, to: string] => [`${namespace}:`, `${namespace};`]
