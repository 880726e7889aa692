/** The texts of placing fields, which the page or the editor of Node-RED around them gives in its language. */
import { fieldTypes } from '../../../lib/contract/task/field-kinds.ts'

export const textNames = [
  ...fieldTypes,
  'drag',
  'selected',
  'place',
  'left',
  'top',
  'width',
  'height',
  'required',
  'initialText',
  'remove',
  'field',
  'chooseSample',
  'sample',
  'toSee',
  'notShown',
  'tooShort',
  'notPdf',
  'noReader',
] as const

/** `__page__` and the like are filled in. */
export type Words = Readonly<Record<(typeof textNames)[number], string>>

/** Returns the texts as a catalogue has them. @param textOf the text of that name, with its `__page__` as they are */
export const wordsOf = (textOf: (name: keyof Words) => string): Words =>
  Object.fromEntries(textNames.map((name) => [name, textOf(name)])) as Words

/** Returns the text with each `__name__` filled in. */
export const filled = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/__(\w+?)__/g, (whole, name: string) => String(values[name] ?? whole))
