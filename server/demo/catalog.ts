/** Document types and templates of the demo. */
import type { FieldType } from '../../lib/contract/task/document.ts'
import type { SeedInput } from '../operations/sandbox/seed/seed.ts'

type Template = NonNullable<NonNullable<SeedInput['organizations']>[number]['templates']>[number]
type Field = Template['fields'][number]

const types = (category: string, names: Record<number, string>) =>
  Object.entries(names).map(([id, name]) => ({ id: Number(id), name, category }))

export const documentTypes = [
  ...types('Certification', {
    101: 'Home Health Certification and Plan of Care (CMS-485)',
    102: 'Recertification (CMS-485)',
    103: 'Face-to-Face Encounter',
    108: 'Therapy Plan of Care',
    109: 'Hospice Certification of Terminal Illness',
  }),
  ...types('Order', {
    104: 'Physician Order (verbal)',
    105: 'Interim Order',
    106: 'Resumption of Care',
    110: 'DME Standard Written Order',
    111: 'Wound Care Order',
  }),
  ...types('Summary', { 107: 'Discharge Summary', 112: 'Medication Reconciliation' }),
].sort((a, b) => a.id - b.id)

/** Fields at the foot of a Letter page, where orders have their signature line; in points from the top left. */
const field = (
  type: FieldType,
  left: number,
  top: number,
  width: number,
  height: number,
  required: boolean,
): Field => ({
  page: 1,
  box: { left, top, right: left + width, bottom: top + height },
  type,
  required,
})
const signatureAndDate = [
  field('VisibleSignature', 72, 690, 200, 36, true),
  field('DateSigned', 400, 700, 90, 14, true),
]

const template = (
  id: number,
  summary: string,
  clinicalDateLabel: string,
  diagnosisCode: 'required' | 'allowed' | 'none',
  [daysBefore, daysAfter]: readonly [number, number],
  fields: Field[] = signatureAndDate,
): Template => ({
  id,
  summary,
  clinicalDateLabel,
  diagnosisCode,
  isCustomTemplate: false,
  daysBefore,
  daysAfter,
  fields,
})

const comment = field('TextArea', 72, 640, 420, 40, false)

export const templates: Record<'Willow Creek Home Health' | 'Northfield Hospice', Template[]> = {
  'Willow Creek Home Health': [
    template(201, '485', 'Certification period start', 'required', [60, 5]),
    template(202, 'Recert 485', 'Recertification period start', 'required', [60, 5]),
    template(203, 'Face-to-face', 'Encounter date', 'allowed', [90, 30], [...signatureAndDate, comment]),
    template(204, 'Verbal order', 'Order date', 'none', [30, 0]),
    { ...template(205, 'DME order', 'Order date', 'required', [30, 0]), isCustomTemplate: true },
  ],
  'Northfield Hospice': [template(211, 'Hospice certification', 'Benefit period start', 'required', [90, 15])],
}
