/** Reads a name that comes as one text. Pure. Only a comma says which part is the family name, so no other text is split. */

/**
 * Returns "Hart, Nora Jean" as a family name with two given names, whether it is the whole name or is in `family` alone;
 * anything else as it was given.
 */
export function nameOf(given: unknown): unknown {
  if (typeof given === 'string') return split(given) ?? given
  if (typeof given !== 'object' || given === null) return given
  const { family, given: givenNames, ...rest } = given as Record<string, unknown>
  if (typeof family !== 'string' || !isEmpty(givenNames)) return given
  const name = split(family)
  return name ? { ...rest, ...name } : given
}

/** Names as one text, one object, or a list of either. */
export const namesOf = (given: unknown): unknown => {
  if (Array.isArray(given)) return given.map(nameOf)
  return typeof given === 'string' ? [nameOf(given)] : given
}

function split(text: string): { family: string; given: string[] } | undefined {
  const parts = text.split(',').map((part) => part.trim())
  const [family, others] = parts
  return parts.length === 2 && family && others ? { family, given: others.split(/\s+/) } : undefined
}

const isEmpty = (names: unknown) =>
  names === undefined || names === null || names === '' || (Array.isArray(names) && names.length === 0)
