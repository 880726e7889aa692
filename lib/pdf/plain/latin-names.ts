/** Names of letters that every viewer knows. ISO 32000-1, annex D.2: the standard Latin character set, and other names of the same. */

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz']

const ACCENTED: Readonly<Record<string, string>> = {
  acute: 'A E I O U Y a e i o u y',
  caron: 'S Z s z',
  cedilla: 'C c',
  circumflex: 'A E I O U a e i o u',
  dieresis: 'A E I O U Y a e i o u y',
  grave: 'A E I O U a e i o u',
  ring: 'A a',
  slash: 'L O l o',
  tilde: 'A N O a n o',
}

const OTHERS = `
  AE ae Eth eth OE oe Thorn thorn dotlessi fi fl germandbls ordfeminine ordmasculine
  zero one two three four five six seven eight nine onesuperior twosuperior threesuperior onehalf onequarter threequarters
  acute ampersand asciicircum asciitilde asterisk at backslash bar braceleft braceright bracketleft bracketright breve
  brokenbar bullet caron cedilla cent circumflex colon comma copyright currency dagger daggerdbl degree dieresis divide
  dollar dotaccent ellipsis emdash endash equal Euro exclam exclamdown florin fraction grave greater guillemotleft
  guillemotright guilsinglleft guilsinglright hungarumlaut hyphen less logicalnot macron minus mu multiply numbersign
  ogonek paragraph parenleft parenright percent period periodcentered perthousand plus plusminus question questiondown
  quotedbl quotedblbase quotedblleft quotedblright quoteleft quoteright quotesinglbase quotesingle registered ring
  section semicolon slash space sterling tilde trademark underscore yen nbspace sfthyphen middot overscore`

export const latinNames: ReadonlySet<string> = new Set([
  ...LETTERS,
  ...Object.entries(ACCENTED).flatMap(([accent, letters]) => letters.split(' ').map((letter) => letter + accent)),
  ...OTHERS.trim().split(/\s+/),
])
