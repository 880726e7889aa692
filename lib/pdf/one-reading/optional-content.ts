/** Layers: accepted where all of them are shown, on the screen, on paper and in a copy alike. */
import type { PdfObjects } from '../file/objects.ts'
import { type Dictionary, entryOf, nameOf, type Value } from '../file/value.ts'
import type { Reachable } from './reachable.ts'

const HIDDEN = 'layers that are not always shown'

/** Returns a description of the error, or null. */
export function optionalContentProblem(catalog: Dictionary, reachable: Reachable, objects: PdfObjects): string | null {
  const { resolve } = objects
  const get = (value: Value | null, key: string) => resolve(entryOf(value, key))
  const items = (value: Value | null): readonly Value[] => (value?.kind === 'array' ? value.items : [])
  const properties = get(catalog, 'OCProperties')
  const listed = new Set(items(get(properties, 'OCGs')).map((item) => (item.kind === 'reference' ? item.number : -1)))
  const shown = get(properties, 'D')
  const isConfigured = (config: Value | null) =>
    ['ON', null].includes(nameOf(get(config, 'BaseState'))) && items(get(config, 'OFF')).length === 0
  if (properties && !isConfigured(shown)) return HIDDEN

  const isAlwaysOn = (layer: Value): boolean => {
    const usage = get(layer, 'Usage')
    const intent = get(layer, 'Intent')
    const intents = intent?.kind === 'array' ? intent.items.map(resolve) : [intent]
    const isSeen = intents.some((intent) => intent === null || ['View', 'All'].includes(nameOf(intent) ?? ''))
    const states = [
      ['View', 'ViewState'],
      ['Print', 'PrintState'],
      ['Export', 'ExportState'],
    ] as const
    const isOn = states.every(([key, state]) => ['ON', null].includes(nameOf(get(get(usage, key), state))))
    return isSeen && isOn && !['Zoom', 'User'].some((key) => get(usage, key))
  }
  /** A layer by membership: all layers are on, so only what asks for layers that are off can be hidden. */
  const isPlain = (membership: Value): boolean =>
    ['AnyOn', 'AllOn', null].includes(nameOf(get(membership, 'P'))) && entryOf(membership, 'VE') === undefined

  const isShown = (value: Value, number: number | null): boolean => {
    if (value.kind === 'array') return value.items.every((item) => isShown(item, null))
    if (value.kind !== 'dictionary') return true
    const type = nameOf(get(value, 'Type'))
    if (type === 'OCG' && properties && (number === null || !listed.has(number))) return false
    if ((type === 'OCG' && !isAlwaysOn(value)) || (type === 'OCMD' && !isPlain(value))) return false
    return [...value.entries.values()].every((item) => isShown(item, null))
  }
  return reachable.objects.every(({ value, number }) => isShown(value, number)) ? null : HIDDEN
}
