/**
 * Whether a color profile says what a screen shows anyway: sRGB, or gray with its curve. Viewers convert others in ways of their
 * own, and one can turn black into white. ICC.1, clauses 7 to 10.
 */

const HEADER = 128
/** The most that a color may differ, of 1: three levels of 255. */
const NEAR = 0.012

export function isStandardProfile(profile: Buffer, components: 1 | 3): boolean {
  if (profile.length < HEADER + 4 || profile.readUInt32BE(0) > profile.length) return false
  const text = (at: number) => profile.toString('latin1', at, at + 4)
  const isDevice = ['mntr', 'scnr', 'prtr', 'spac'].includes(text(12)) && text(36) === 'acsp'
  if (!isDevice || text(16) !== (components === 3 ? 'RGB ' : 'GRAY') || text(20) !== 'XYZ ') return false
  const tags = tagsOf(profile)
  // A table of colors would count more than the curves.
  if (!tags || [...tags.keys()].some((name) => /^[AB]2[AB]|^D2B|^B2D/.test(name))) return false
  if (components === 1) return isScreenCurve(tags.get('kTRC'))
  const columns = [...'rgb'].map((letter) => tags.get(`${letter}XYZ`))
  const curves = [...'rgb'].map((letter) => tags.get(`${letter}TRC`))
  return curves.every(isScreenCurve) && columns.every((column, i) => isColumn(column, SRGB[i]!))
}

/** The primaries of sRGB for the white of a profile, as IEC 61966-2.1 and its adaptation give them. */
const SRGB = [
  [0.4361, 0.2225, 0.0139],
  [0.3851, 0.7169, 0.0971],
  [0.1431, 0.0606, 0.7141],
] as const

function tagsOf(profile: Buffer): Map<string, Buffer> | null {
  const count = profile.readUInt32BE(HEADER)
  if (count > 100 || profile.length < HEADER + 4 + 12 * count) return null
  const tags = new Map<string, Buffer>()
  for (let i = 0; i < count; i++) {
    const at = HEADER + 4 + 12 * i
    const [offset, size] = [profile.readUInt32BE(at + 4), profile.readUInt32BE(at + 8)]
    const name = profile.toString('latin1', at, at + 4)
    if (offset + size > profile.length || tags.has(name)) return null
    tags.set(name, profile.subarray(offset, offset + size))
  }
  return tags
}

const fixed = (bytes: Buffer, at: number) => bytes.readInt32BE(at) / 65_536

function isColumn(tag: Buffer | undefined, wanted: readonly number[]): boolean {
  if (!tag || tag.length < 20 || tag.toString('latin1', 0, 4) !== 'XYZ ') return false
  return wanted.every((number, i) => Math.abs(fixed(tag, 8 + 4 * i) - number) < NEAR)
}

const screen = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)

/** Compares what comes out as it would be seen, at each entry of a table: dark levels are closer to each other in light. */
function isScreenCurve(tag: Buffer | undefined): boolean {
  const curve = tag && curveOf(tag)
  if (!curve) return false
  const seen = (light: number) => Math.max(0, light) ** (1 / 2.2)
  const last = Math.max(64, curve.entries - 1)
  for (let i = 0; i <= last; i++) {
    const difference = seen(curve.at(i / last)) - seen(screen(i / last))
    if (!(Math.abs(difference) < 3 * NEAR)) return false
  }
  return true
}

interface Curve {
  entries: number
  at(value: number): number
}

function curveOf(tag: Buffer): Curve | null {
  const type = tag.toString('latin1', 0, 4)
  if (tag.length < 12) return null
  if (type === 'para') {
    const kind = tag.readUInt16BE(8)
    const count = [1, 3, 4, 5, 7][kind]
    if (count === undefined || tag.length < 12 + 4 * count) return null
    const [g = 1, a = 1, b = 0, c = 0, d = 0] = Array.from({ length: count }, (_, i) => fixed(tag, 12 + 4 * i))
    if (kind === 0) return { entries: 0, at: (value) => value ** g }
    return kind === 3 ? { entries: 0, at: (value) => (value >= d ? (a * value + b) ** g : c * value) } : null
  }
  if (type !== 'curv') return null
  const entries = tag.readUInt32BE(8)
  if (entries === 0 || entries > MOST_ENTRIES || tag.length < 12 + 2 * entries) return null
  if (entries === 1) return { entries, at: (value) => value ** (tag.readUInt16BE(12) / 256) }
  return {
    entries,
    at(value) {
      const place = value * (entries - 1)
      const low = Math.min(entries - 2, Math.floor(place))
      const level = (i: number) => tag.readUInt16BE(12 + 2 * i) / 65_535
      return level(low) + (place - low) * (level(low + 1) - level(low))
    },
  }
}

const MOST_ENTRIES = 65_536
