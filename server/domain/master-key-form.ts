/** How a master key is written: 64 hexadecimal digits, or Base64. Pure. */

export const MASTER_KEY_FORM = 'must hold 32 bytes, as 64 hexadecimal digits or as Base64'

const BYTES = 32

/** Returns null when the text does not hold 32 bytes. */
export function masterKeyIn(text: string): Buffer | null {
  const bare = text.trim()
  const key = /^[0-9a-f]{64}$/i.test(bare) ? Buffer.from(bare, 'hex') : Buffer.from(bare, 'base64')
  return key.length === BYTES ? key : null
}

export const isMasterKey = (text: string): boolean => masterKeyIn(text) !== null

/** Returns the values of a list, without the blanks around them. */
export const separated = (text: string): string[] => text.split(',').flatMap((value) => value.trim() || [])
