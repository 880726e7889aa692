/** Mutants whose content is read in two ways: on a screen and on paper, or by one reader and another. */
import { stream } from '../pdf/written-pdf.ts'
import type { Random } from '../random.ts'
import { type Base, evilDrawing } from './base.ts'
import { assemble, type Plan, planOf } from './plan.ts'

/** The first page with this drawn after its own content, with these resources. */
function drawing(
  base: Base,
  random: Random,
  parts: readonly string[],
  resources = '',
  more: readonly string[] = [],
): Plan {
  const plan = planOf(base)
  const { unused } = base
  const references = parts.map((_, i) => `${unused + i} 0 R`).join(' ')
  const own = `/Resources << ${resources} >>`
  for (const part of plan.parts) {
    if (part.number !== base.page) continue
    part.body = part.body
      .replace(/\/Contents\s*\[?\s*(\d+ \d+ R)[^\]/>]*\]?/, `/Contents [${references}]`)
      .replace(/\/Resources\s*(?:\d+ \d+ R|<<(?:[^<>]|<<(?:[^<>]|<<[^<>]*>>)*>>)*>>)/, own)
    if (!part.body.includes('/Resources')) part.body = part.body.replace('<<', `<< ${own}`)
  }
  for (const [i, part] of parts.entries()) plan.parts.push({ number: unused + i, body: stream(part), isListed: true })
  for (const [i, body] of more.entries()) plan.parts.push({ number: unused + 10 + i, body, isListed: true })
  if (random.isSo(0.2)) plan.form = 'stream'
  return plan
}

export function layers(base: Base, random: Random): Buffer {
  const group = base.unused + 10
  const config = random.pick([
    '',
    `/OFF [${group} 0 R]`,
    '/BaseState /OFF',
    '/BaseState /Unchanged',
    `/BaseState /OFF /ON [${group} 0 R]`,
    `/AS [<< /Event /Print /Category [/Print] /OCGs [${group} 0 R] >>]`,
  ])
  const usage = random.pick([
    '',
    '/Usage << /Print << /PrintState /OFF >> >>',
    '/Usage << /View << /ViewState /OFF >> >>',
    '/Usage << /Zoom << /min 3 >> >>',
    '/Intent /Design',
    '/Intent []',
  ])
  const membership = random.pick([
    `${group} 0 R`,
    `<< /Type /OCMD /OCGs ${group} 0 R /P /AllOff >>`,
    `<< /Type /OCMD /OCGs [${group} 0 R] /P /AnyOff >>`,
    `<< /Type /OCMD /VE [/Not ${group} 0 R] >>`,
    `<< /Type /OCMD /OCGs ${group} 0 R >>`,
    `<< /Type /OCG /Name (x) >>`,
  ])
  const content = random.pick([`/OC /P BDC ${evilDrawing} EMC`, `/OC /Q BDC ${evilDrawing} EMC`, '/X Do'])
  const form = stream(evilDrawing, `/Type /XObject /Subtype /Form /BBox [0 0 600 700] /OC ${membership}`)
  const resources = `/Properties << /P ${membership} >> /XObject << /X ${group + 1} 0 R >>`
  const plan = drawing(base, random, [content], resources, [`<< /Type /OCG /Name (L) ${usage} >>`, form])
  if (random.isSo(0.8)) {
    const listed = random.isSo(0.9) ? `${group} 0 R` : ''
    const properties = `/OCProperties << /OCGs [${listed}] /D << /Order [] ${config} >> >>`
    for (const part of plan.parts)
      if (part.number === base.catalog) part.body = part.body.replace('<<', `<< ${properties}`)
  }
  return assemble(plan).pdf
}

export function paints(base: Base, random: Random): Buffer {
  const first = base.unused + 10
  const invert = '<< /FunctionType 2 /Domain [0 1] /C0 [1] /C1 [0] /N 1 >>'
  const picture = (entries: string) =>
    `<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray ${entries} /Length 1 >>\nstream\n\0\nendstream`
  const inColor = (space: string) => [`/C cs 1 scn 80 300 300 90 re f`, `/ColorSpace << /C ${space} >>`] as const
  const inState = (state: string) => [`/G gs 1 g 80 300 300 90 re f`, `/ExtGState << /G << ${state} >> >>`] as const
  const asPicture = (entries: string) =>
    [`q 300 0 0 90 80 300 cm /X Do Q`, `/XObject << /X ${first} 0 R >>`, picture(entries)] as const
  const ways = [
    inColor(`[/Separation /None /DeviceGray ${invert}]`),
    inColor(`[/Separation /All /DeviceGray ${invert}]`),
    inColor(`[/DeviceN [/None] /DeviceGray ${invert}]`),
    inState(`/TR ${invert}`),
    inState(`/Type /ExtGState /TR2 ${invert}`),
    inState('/TR /Identity'),
    asPicture(`/Alternates [<< /Image ${first + 1} 0 R /DefaultForPrinting true >>]`),
    asPicture('/F (other.bin)'),
    asPicture('/OPI << >>'),
    asPicture('/Decode [1 0]'),
    [`/X Do`, `/XObject << /X ${first} 0 R >>`, stream(evilDrawing, '/Type /XObject /Subtype /PS')] as const,
    [
      `/X Do`,
      `/XObject << /X ${first} 0 R >>`,
      stream(evilDrawing, '/Subtype /Form /BBox [0 0 600 700] /Ref << /F (x) /Page 0 >>'),
    ] as const,
    [`/X Do`, `/XObject << /X ${first} 0 R >>`, stream(evilDrawing, '/Subtype /Form /BBox [0 0 600 700]')] as const,
  ]
  const [content, resources, ...more] = random.pick(ways)
  return assemble(drawing(base, random, [content], resources, [...more, picture('')])).pdf
}

export function operators(base: Base, random: Random): Buffer {
  const box = '80 300 300 90 re f'
  const pixel = (data: string) => `q 300 0 0 90 80 300 cm BI /W 4 /H 1 /BPC 8 /CS /G ID ${data} EI Q`
  const ways: readonly (readonly string[])[] = [
    [`0 g 80 30`, `0 300 90 re f`],
    [`0 g ${box.slice(0, 9)}`, box.slice(9)],
    ['(', `) ${box}`],
    ['q 1 g', `Q ${box}`],
    [`Q Q Q ${box}`],
    [`BX ${box} 1 2 foo EX`],
    [`foo ${box}`],
    ['0 g 80.5.5 300 300 90 re f'],
    ['0 g --80 300 300 90 re f'],
    ['0 g 80 300 3e2 90 re f'],
    ['0 g 80 300 300 re f'],
    ['0 g 7 80 300 300 90 re f'],
    [pixel('\0\0\0\0')],
    [pixel(`\0 EI`)],
    [pixel(`\0 EI ${box} `)],
    [`q 300 0 0 90 80 300 cm BI /W 40 /H 1 /BPC 8 /CS /G ID ${`\0 EI Q 0 g ${box} q`.padEnd(40)} EI Q`],
    [`BT ${box}`, 'ET'],
    [`/X BMC ${box}`],
    [`<< /A [ >> ${box}`],
    [`[ ${box}`],
    [`<41 ${box}`],
    [`1 g ${box} % 0 g\r0 g ${box}`],
    [`1 g ${box} % 0 g\f ${box}`],
    [`80 300 300 90 re W n 0 g 0 0 600 700 re f`],
  ]
  return assemble(drawing(base, random, random.pick(ways))).pdf
}
