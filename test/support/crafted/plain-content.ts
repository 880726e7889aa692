/** Walks the grammar of plain documents: random page content in which every operator is allowed where it is written. */
import type { Random } from '../random.ts'

/** A font with texts that its letters can be shown for, each as it is written in content. */
export interface UsableFont {
  name: string
  texts: readonly string[]
  /** Of codes of one byte, so that a text may be written in any way that the format has. */
  isSimple: boolean
}

export interface Names {
  fonts: readonly UsableFont[]
  pictures: readonly string[]
  forms: readonly string[]
  states: readonly string[]
  /** Color spaces with how many numbers a color has. */
  spaces: readonly (readonly [name: string, components: number])[]
  properties: readonly string[]
}

/** In points. */
export interface Area {
  width: number
  height: number
}

/** Returns the tokens of content that draws some things within the area, one operator with its operands each. */
export function plainOperations(random: Random, names: Names, area: Area, count: number): string[] {
  const operations: string[] = []
  const push = (operation: string) => operations.push(operation)
  /** The space of the color that is set, of areas and lines; null while a color is missing. */
  const blocks: readonly (() => void)[] = [
    path,
    path,
    text,
    text,
    text,
    picture,
    form,
    marked,
    nested,
    state,
    tick,
    border,
    small,
  ]
  const number = (value: number) => written(random, value)
  const numbers = (...values: number[]) => values.map(number).join(' ')
  const between = (least: number, most: number) => least + (random.below(10_001) / 10_000) * (most - least)
  const x = () => between(-20, area.width + 20)
  const y = () => between(-20, area.height + 20)
  const name = (some: string) => writtenName(random, some)
  let depth = 0
  let font: UsableFont | null = null

  for (let i = 0; i < count; i++) random.pick(blocks)()
  return operations

  function nested(): void {
    if (depth >= 5) return
    depth++
    const before = font
    push('q')
    if (random.isSo(0.6)) matrix()
    if (random.isSo(0.2)) clip()
    for (let i = random.below(4); i >= 0; i--) random.pick(blocks)()
    push('Q')
    font = before
    depth--
  }

  function matrix(): void {
    const [turn, scale] = [random.pick([0, 0, 0, 0.3, Math.PI / 2, -1]), random.pick([1, 1, 0.8, 1.2, 0.1])]
    const [a, b] = [scale * Math.cos(turn), scale * Math.sin(turn)]
    const [flip, skew] = [random.pick([1, 1, 1, -1]), random.pick([0, 0, 0, 0.4])]
    push(
      `${numbers(a, b, (skew - b) * flip, a * flip)} ${numbers(between(0, area.width / 2), between(0, area.height / 2))} cm`,
    )
  }

  function clip(): void {
    push(`${numbers(between(0, 60), between(0, 60), between(100, area.width), between(100, area.height))} re`)
    push(random.pick(['W', 'W*']))
    push('n')
  }

  function state(): void {
    if (names.states.length > 0 && random.isSo(0.3)) push(`${name(random.pick(names.states))} gs`)
    lineState()
    color(true)
    if (random.isSo()) color(false)
  }

  function lineState(): void {
    if (random.isSo(0.4)) push(`${number(random.pick([0.5, 0.75, 1, 2, 3]))} w`)
    if (random.isSo(0.2)) push(`${random.below(3)} J`)
    if (random.isSo(0.2)) push(`${random.below(3)} j`)
    if (random.isSo(0.1)) push(`${number(random.pick([1, 1.5, 4, 10]))} M`)
    if (random.isSo(0.2)) push(`${dashes()} ${number(random.pick([0, 0, 1, 3.5, 100]))} d`)
    if (random.isSo(0.05)) push(`${number(random.pick([0, 1]))} i`)
    if (random.isSo(0.05)) push(`${name(random.pick(['Perceptual', 'RelativeColorimetric', 'Unknown']))} ri`)
  }

  function dashes(): string {
    if (random.isSo(0.3)) return '[]'
    return `[${Array.from({ length: random.pick([1, 2, 4, 6]) }, () => number(random.pick([0.5, 1, 2, 3, 7.5, 20]))).join(' ')}]`
  }

  function color(isFill: boolean): void {
    const cased = (operator: string) => (isFill ? operator : operator.toUpperCase())
    const level = () => number(random.pick([0, 0, 0, 0.2, 0.5, 0.75, 1]))
    const levels = (many: number) => Array.from({ length: many }, level).join(' ')
    const spaces = [...names.spaces, ['DeviceGray', 1], ['DeviceRGB', 3]] as const
    switch (random.below(5)) {
      case 0:
        return void push(`${levels(3)} ${cased('rg')}`)
      case 1:
        return void push(`${numbers(0, 0, 0, random.pick([0, 1, 1, 0.1, 0.3, 0.5]))} ${cased('k')}`)
      case 2: {
        const [space, components] = random.pick(spaces)
        push(`${name(space)} ${cased('cs')}`)
        const color = space === 'Black' ? number(random.pick([0, 0.1, 0.4, 0.5, 1])) : levels(components)
        return void push(`${color} ${cased(random.pick(['sc', 'scn']))}`)
      }
      default:
        push(`${level()} ${cased('g')}`)
    }
  }

  /** Parts of a path, each with an area or a length. */
  function path(): void {
    lineState()
    const isLines = random.isSo(0.4)
    for (let parts = 1 + random.below(3); parts > 0; parts--) {
      const [left, bottom] = [x(), y()]
      const [width, height] = [between(2, 150), between(2, 80)].map((side) => side * random.pick([1, 1, -1]))
      if (random.isSo(0.4)) {
        push(`${numbers(left, bottom, width!, height!)} re`)
        continue
      }
      if (random.isSo(0.05)) push(`${numbers(x(), y())} m`)
      push(`${numbers(left, bottom)} m`)
      const to = () => `${numbers(left + between(0, width!), bottom + between(0, height!))}`
      push(`${numbers(left + width!, bottom)} l`)
      for (let i = random.below(3); i > 0; i--) {
        const operator = random.pick(['c', 'v', 'y', 'l'])
        push(`${Array.from({ length: { c: 3, v: 2, y: 2, l: 1 }[operator]! }, to).join(' ')} ${operator}`)
      }
      push(`${numbers(left + width! / 3, bottom + height!)} l`)
      if (random.isSo()) push('h')
      if (random.isSo(0.2)) state()
    }
    if (!isLines && depth > 0 && random.isSo(0.1)) push(random.pick(['W', 'W*']))
    if (random.isSo(0.1)) {
      push(`${numbers(x(), y())} m`)
      return void push(random.pick(isLines ? ['S'] : ['S', 'f', 'F', 'f*', 'B', 'B*']))
    }
    push(random.pick(isLines ? ['S', 's'] : ['f', 'F', 'f*', 'B', 'B*', 'b', 'b*', 'S', 'n']))
  }

  /** A mark of an axis: a straight line that is filled, too. */
  function tick(): void {
    const [left, bottom] = [x(), y()]
    push(`${number(random.pick([0.5, 0.8, 1, 2]))} w`)
    push('[] 0 d')
    push(`${numbers(left, bottom)} m`)
    push(`${random.isSo() ? numbers(left, bottom + 5) : numbers(left + 30, bottom)} l`)
    push(random.pick(['B', 'B*']))
  }

  /** A border as a table has it, with parts without a width on its edges or within it; or an operator that paints no path. */
  function border(): void {
    if (random.isSo(0.2)) return void push(random.pick(['f', 'S', 'B', 'n', 'f*', 's', 'b']))
    const [left, bottom, width, height] = [x(), y(), between(20, 150), random.pick([0.75, 1, 3, 20])]
    const inner = bottom + height * random.pick([0, 0.5, 1])
    const parts = [numbers(left, inner, width * random.pick([1, 0.4]), 0), numbers(left, bottom, width, height)]
    for (const part of random.isSo() ? parts : parts.toReversed()) push(`${part} re`)
    push(random.pick(['f', 'f*', 'F']))
  }

  /** In the units that slides are written in. */
  function small(): void {
    const unit = random.pick([0.001968504, 0.01, 0.12])
    const at = (value: number) => Math.min(999_999, value / unit)
    push('q')
    push(`${numbers(unit, 0, 0, unit, 0, 0)} cm`)
    push(`${number(random.pick([0.5, 1, 3]) / unit)} w`)
    push(random.isSo() ? `[${numbers(3 / unit, 2 / unit)}] ${number(random.pick([0, 2]) / unit)} d` : '[] 0 d')
    if (names.pictures.length > 0 && random.isSo(0.3)) {
      push(`${numbers(60 / unit, 0, 0, -40 / unit, at(between(0, area.width)), at(60))} cm`)
      push(`${name(random.pick(names.pictures))} Do`)
      push('Q')
      return
    }
    const [left, bottom] = [between(0, area.width), between(0, area.height)]
    push(`${numbers(at(left), at(bottom))} m`)
    push(`${numbers(at(left + between(5, 80)), at(bottom))} l`)
    push(`${numbers(at(left + between(5, 80)), at(bottom + between(5, 80)), at(left + 2), at(bottom + 60))} y`)
    push(random.pick(['f', 'S', 's', 'B', 'f*', 'n']))
    push('Q')
  }

  function text(): void {
    push('BT')
    let mode = 0
    for (let i = 1 + random.below(4); i > 0; i--) {
      if (!font || random.isSo(0.5)) {
        font = random.pick(names.fonts)
        push(`${name(font.name)} ${number(random.pick([6, 9, 10, 11, 12, 12, 14, 18, 1]))} Tf`)
      }
      if (random.isSo(0.2)) push(`${number(random.pick([0, 0, 0.5, 2, -0.3]))} Tc`)
      if (random.isSo(0.2)) push(`${number(random.pick([0, 0, 3, 10, -1]))} Tw`)
      if (random.isSo(0.1)) push(`${number(random.pick([100, 100, 80, 150]))} Tz`)
      if (random.isSo(0.1)) push(`${number(random.pick([0, 5, -5]))} Ts`)
      if (random.isSo(0.2)) push(`${number(random.pick([10, 14.5, 20]))} TL`)
      if (random.isSo(0.15)) {
        mode = random.pick([0, 2, 3])
        push(`${mode} Tr`)
        if (mode > 0) push(`${number(0.9)} w`)
      }
      if (random.isSo(0.2)) color(random.isSo(0.8))
      if (random.isSo(0.05)) push(`${name('DeviceRGB')} CS`)
      placeText()
      showText(font)
    }
    push('ET')
  }

  function placeText(): void {
    const place = random.below(6)
    if (place < 3) {
      const [turn, scale] = [random.pick([0, 0, 0, 0, 0.5, Math.PI / 2]), random.pick([1, 1, 1, 1.1, 0.7])]
      const [a, b] = [scale * Math.cos(turn), scale * Math.sin(turn)]
      push(`${numbers(a, b, -b + random.pick([0, 0, 0.3]), a)} ${numbers(between(20, area.width - 80), y())} Tm`)
    } else if (place < 5) push(`${numbers(between(-20, 60), between(-60, 60))} ${random.pick(['Td', 'TD'])}`)
    else push('T*')
  }

  function showText({ texts, isSimple }: UsableFont): void {
    const one = () => (isSimple ? writtenText(random, random.pick(texts)) : random.pick(texts))
    switch (random.below(5)) {
      case 0:
        return void push(`${one()} '`)
      case 1:
        return void push(`${numbers(random.pick([0, 2]), random.pick([0, 0.5]))} ${one()} "`)
      case 2: {
        const shift = () => number(random.pick([0, -50, 120, -333.3, 900, -2000]))
        return void push(`[${Array.from({ length: 1 + random.below(4) }, () => `${one()} ${shift()}`).join(' ')}] TJ`)
      }
      default:
        push(`${one()} Tj`)
    }
  }

  function picture(): void {
    if (names.pictures.length > 0) draw(random.pick(names.pictures), between(20, 200), between(10, 120))
  }

  function form(): void {
    if (names.forms.length > 0) draw(random.pick(names.forms), 1, 1)
  }

  function draw(object: string, width: number, height: number): void {
    const before = font
    push('q')
    // Of a picture that has colors of its own, none has to be set.
    if (object.startsWith('I') && random.isSo(0.2)) push(`${name('DeviceRGB')} ${random.pick(['cs', 'CS'])}`)
    const [turn, flip] = [random.pick([0, 0, 0, Math.PI / 2, 0.2]), random.pick([1, 1, -1])]
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
    push(`${numbers(width * cos, width * sin, -height * sin * flip, height * cos * flip, x(), y())} cm`)
    push(`${name(object)} Do`)
    push('Q')
    font = before
  }

  function marked(): void {
    const tag = name(random.pick(['P', 'Span', 'Artifact']))
    if (random.isSo(0.3)) return void push(random.isSo() ? `${tag} MP` : `${tag} <</MCID ${random.below(9)}>> DP`)
    const isNamed = names.properties.length > 0 && random.isSo(0.3)
    push(
      random.isSo(0.3)
        ? `${tag} BMC`
        : `${tag} ${isNamed ? name(random.pick(names.properties)) : '<</MCID 1/A(x) >>'} BDC`,
    )
    if (random.isSo()) text()
    push('EMC')
  }
}

/** A number in one of the ways that the format has. */
function written(random: Random, value: number): string {
  const digits = random.pick([0, 1, 2, 4, 6, 12])
  const exact = Number(value.toFixed(6)).toString()
  const text = Math.abs(value) < 2 || random.isSo(0.7) ? (/e/.test(exact) ? '0' : exact) : value.toFixed(digits)
  switch (random.below(12)) {
    case 0:
      return text.replace(/^(-?)0\./, '$1.')
    case 1:
      return value >= 0 ? `+${text}` : text
    case 2:
      return text.replace(/^(-?)(\d)/, '$100$2')
    case 3:
      return text.includes('.') ? `${text}000` : `${text}.`
    default:
      return text
  }
}

function writtenName(random: Random, name: string): string {
  const odd = (letter: string) =>
    letter === ' ' || random.isSo(0.1) ? `#${letter.charCodeAt(0).toString(16)}` : letter
  return `/${[...name].map(odd).join('')}`
}

/** A text in latin1 in one of the ways that the format has. */
function writtenText(random: Random, text: string): string {
  const hex = Buffer.from(text, 'latin1').toString('hex')
  if (random.isSo(0.2)) return `<${random.isSo() ? hex.toUpperCase() : hex.replace(/(.{6})/g, '$1 \n')}>`
  const letters = [...text].map((letter) => {
    if (/[()\\]/.test(letter)) return `\\${letter}`
    if (random.isSo(0.05)) return `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`
    if (random.isSo(0.02)) return `\\\n${letter}`
    return random.isSo(0.01) && /[A-Z]/.test(letter) ? `\\${letter}` : letter
  })
  return `(${letters.join('')})`
}

/** Content as bytes in latin1, with any white space and comments between the operations. */
export function writtenContent(random: Random, operations: readonly string[]): string {
  const between = () => random.pick(['\n', '\n', ' ', '\r', '\r\n', '\t', ' % 500 mg\n', '\0', '  \f'])
  return operations.map((operation) => operation + between()).join('')
}
