/** Draws the places of fields into a PDF, for people to look at. The result is a picture, not a document to be signed. */
import { rgb, StandardFonts } from 'pdf-lib'
import type { FieldType } from '../../contract/task/field-kinds.ts'
import { openStructure } from '../guard/structure.ts'
import { drawIn } from './canvas.ts'
import type { Field } from './placement.ts'

const colors: Readonly<Record<FieldType, ReturnType<typeof rgb>>> = {
  VisibleSignature: rgb(0.13, 0.36, 0.68),
  DateSigned: rgb(0.55, 0.27, 0.68),
  TextArea: rgb(0.1, 0.5, 0.3),
  CheckBox: rgb(0.8, 0.4, 0.05),
}
const LABEL_SIZE = 6

/** Throws when the PDF cannot be opened, or a field is on no page of it. */
export async function drawFields(pdf: Uint8Array, fields: readonly Field[]): Promise<Uint8Array> {
  const opened = await openStructure(pdf)
  if (!opened.ok) throw new Error(`The PDF is ${opened.problem}`)
  const { doc } = opened
  const font = await doc.embedFont(StandardFonts.Helvetica)
  const pages = doc.getPages()
  fields.forEach(({ page: number, box, type, required }, index) => {
    const page = pages[number - 1]
    if (!page) throw new RangeError(`Field ${index + 1} is on page ${number}; the PDF has ${pages.length}`)
    const color = colors[type]
    drawIn(page, box, ({ width, height }) => {
      page.drawRectangle({ x: 0, y: 0, width, height, color, opacity: 0.12, borderColor: color, borderWidth: 0.75 })
      const label = `${index + 1} ${type}${required ? ' *' : ''}`
      page.drawText(label, { x: 0, y: height + 1.5, size: LABEL_SIZE, font, color })
    })
  })
  return doc.save({ updateFieldAppearances: false })
}
