/**
 * Forms whose appearance and value part: each mutant of a good form may be read in two ways by two viewers. Seeded, so that the
 * same seed gives the same mutants.
 */
import {
  PDFArray,
  PDFBool,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFRawStream,
  PDFString,
} from 'pdf-lib'
import { aDocument } from '../pdf/a-pdf.ts'

export interface FormMutant {
  /** What was done, for counting. */
  kind: string
  pdf: Uint8Array
}

type Random = () => number

/** Mulberry32: small, and the same everywhere. */
function seeded(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const doses = ['5 mg', '50 mg', '500 mg', '0.5 mg', '5 ml', '15 mg']
const pick = <T>(items: readonly T[], random: Random): T => items[Math.floor(random() * items.length)]!

interface Form {
  doc: PDFDocument
  form: PDFDict
  widget: PDFDict
  value: string
  shown: string
}

type Mutation = (form: Form, random: Random) => void

const key = (name: string) => PDFName.of(name)
const needsAppearances: Mutation = ({ form }) => form.set(key('NeedAppearances'), PDFBool.True)

/** Each gives viewers a reason to show something else than the appearance, or a way to show it elsewhere. */
const mutations: Readonly<Record<string, Mutation>> = {
  'drawn anew': needsAppearances,
  'drawn anew, value in the parent': (mutant, random) => {
    needsAppearances(mutant, random)
    const { doc, widget, form } = mutant
    const parent = doc.context.obj({ FT: 'Tx', T: PDFString.of('dose'), V: PDFString.of(mutant.value) })
    const ref = doc.context.register(parent)
    const kid = form.lookup(key('Fields'), PDFArray).get(0)
    parent.set(key('Kids'), doc.context.obj([kid]))
    for (const name of ['FT', 'T', 'V']) widget.delete(key(name))
    widget.set(key('Parent'), ref)
    form.set(key('Fields'), doc.context.obj([ref]))
  },
  'drawn anew from a default value': (mutant, random) => {
    needsAppearances(mutant, random)
    mutant.widget.delete(key('V'))
    mutant.widget.set(key('DV'), PDFString.of(mutant.value))
  },
  'drawn anew, in UTF-16': (mutant, random) => {
    needsAppearances(mutant, random)
    mutant.widget.set(key('V'), PDFHexString.fromText(mutant.value))
  },
  'drawn anew, as rich text': (mutant, random) => {
    needsAppearances(mutant, random)
    mutant.widget.set(key('V'), PDFString.of(mutant.shown))
    mutant.widget.set(key('RV'), PDFString.of(`<body><p>${mutant.value}</p></body>`))
    mutant.widget.set(key('Ff'), PDFNumber.of(1 << 25))
  },
  'drawn anew, cut at a length': (mutant, random) => {
    needsAppearances(mutant, random)
    mutant.widget.set(key('V'), PDFString.of(mutant.shown))
    mutant.widget.set(key('MaxLen'), PDFNumber.of(1))
  },
  'without an appearance': ({ widget }) => void widget.delete(key('AP')),
  'with an appearance of another state': ({ doc, widget }) => {
    const normal = widget.lookup(key('AP'), PDFDict).get(key('N'))!
    widget.set(key('AP'), doc.context.obj({ N: { On: normal } }))
    widget.set(key('AS'), key('Off'))
  },
  hidden: ({ widget }) => widget.set(key('F'), PDFNumber.of(2)),
  'not for the screen': ({ widget }) => widget.set(key('F'), PDFNumber.of(32 + 4)),
  'not for print': ({ widget }) => widget.set(key('F'), PDFNumber.of(0)),
  'with a matrix': ({ doc, widget }, random) => {
    const normal = widget.lookup(key('AP'), PDFDict).lookup(key('N')) as PDFRawStream
    normal.dict.set(
      key('Matrix'),
      doc.context.obj(
        pick(
          [
            [0, 1, -1, 0, 0, 0],
            [2, 0, 0, 2, 5, 5],
            [1, 0.2, 0, 1, 0, 0],
          ],
          random,
        ),
      ),
    )
  },
  'with an empty box': ({ doc, widget }) => {
    const normal = widget.lookup(key('AP'), PDFDict).lookup(key('N')) as PDFRawStream
    normal.dict.set(key('BBox'), doc.context.obj([0, 0, 0, 0]))
  },
  'from an XFA form': ({ doc, form, value }) => {
    const data = `<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><xfa:data><dose>${value}</dose></xfa:data></xfa:datasets></xdp:xdp>`
    form.set(key('XFA'), doc.context.register(doc.context.stream(data)))
  },
  'listed in no form': ({ form, doc }) => form.set(key('Fields'), doc.context.obj([])),
}

export const formMutationKinds = Object.keys(mutations)

/** As many mutants as asked for, the kinds in turns. */
export async function formMutants(count: number, seed: number): Promise<FormMutant[]> {
  const random = seeded(seed)
  const mutants: FormMutant[] = []
  for (let i = 0; i < count; i++) {
    const kind = formMutationKinds[i % formMutationKinds.length]!
    const shown = pick(doses, random)
    const value = pick(
      doses.filter((dose) => dose !== shown),
      random,
    )
    const form = await aForm(value, shown)
    mutations[kind]!(form, random)
    mutants.push({ kind, pdf: await form.doc.save({ useObjectStreams: false, updateFieldAppearances: false }) })
  }
  return mutants
}

/** One text field with a value, and with an appearance that says something else. */
async function aForm(value: string, shown: string): Promise<Form> {
  const doc = await aDocument({ content: 'BT /F1 12 Tf 72 700 Td (Dose of morphine) Tj ET' })
  const { context, catalog } = doc
  const page = doc.getPage(0)
  const fonts = page.node.Resources()!.get(key('Font'))!
  const content = `/Tx BMC q BT /F1 12 Tf 2 5 Td (${shown}) Tj ET Q EMC`
  const appearance = context.stream(content, {
    Type: 'XObject',
    Subtype: 'Form',
    BBox: [0, 0, 120, 20],
    Resources: { Font: fonts },
  })
  const widget = context.obj({ Type: 'Annot', Subtype: 'Widget', FT: 'Tx', Rect: [200, 695, 320, 715], F: 4 })
  widget.set(key('T'), PDFString.of('dose'))
  widget.set(key('V'), PDFString.of(value))
  widget.set(key('DA'), PDFString.of('/F1 12 Tf 0 g'))
  widget.set(key('AP'), context.obj({ N: context.register(appearance) }))
  const ref = context.register(widget)
  page.node.set(key('Annots'), context.obj([ref]))
  const form = context.obj({ Fields: [ref], DR: { Font: fonts } })
  form.set(key('DA'), PDFString.of('/F1 12 Tf 0 g'))
  catalog.set(key('AcroForm'), context.register(form))
  return { doc, form, widget, value, shown }
}
