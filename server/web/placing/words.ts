/** The texts of placing fields, in English; another catalog may have the same texts in another language. */
import { fieldKinds } from '../../../lib/contract/task/field-kinds.ts'

/** `__page__` and the like are filled in. */
export const english = {
  VisibleSignature: fieldKinds.VisibleSignature.name as string,
  DateSigned: fieldKinds.DateSigned.name as string,
  TextArea: fieldKinds.TextArea.name as string,
  CheckBox: fieldKinds.CheckBox.name as string,
  drag: 'Drag onto a page, or press',
  selected: 'Selected field',
  place: 'page __page__, points',
  left: 'Left',
  top: 'Top',
  width: 'Width',
  height: 'Height',
  required: 'Required',
  initialText: 'Initial text',
  remove: 'Remove field',
  field:
    '__name__, page __page__, __left__ from the left, __top__ from the top. ' +
    'Arrow keys move it, with Alt they resize it, with Shift by 10. Delete removes it.',
  chooseSample: 'Choose a sample PDF',
  sample: 'A blank or invented document of this kind. It stays in this browser.',
  toSee: 'To see and move the fields: __count__.',
  notShown: 'Fields whose place comes from the message stay as they are: __count__.',
  tooShort: 'There are fields up to page __page__. Choose a sample that has these pages.',
  notPdf: 'This file cannot be shown. Choose a PDF.',
  noReader: 'What shows PDFs could not be loaded. Choose the file again; if that does not help, reload the page.',
}

export type Words = typeof english

/** Returns the texts as a catalogue has them. @param textOf the text of that name, with its `__page__` as they are */
export const wordsOf = (textOf: (name: string) => string): Words =>
  Object.fromEntries(Object.keys(english).map((name) => [name, textOf(name)])) as Words

/** Returns the text with each `__name__` filled in. */
export const filled = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/__(\w+?)__/g, (whole, name: string) => String(values[name] ?? whole))
