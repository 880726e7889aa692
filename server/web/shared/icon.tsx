/** Small drawings alongside words. An icon never says anything that no word alongside it says. */
const paths = {
  back: 'M15 5l-7 7 7 7',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  clock: 'M12 7v5l3.5 2M12 3.5a8.5 8.5 0 100 17 8.5 8.5 0 000-17z',
  download: 'M12 4v11m0 0l-4.5-4.5M12 15l4.5-4.5M5 19.5h14',
  pen: 'M4 20l1-4L16 5l3 3L8 19l-4 1zM14 7l3 3',
  print: 'M7 8.5V4h10v4.5M7 17H4.5V8.5h15V17H17M7 14h10v6H7z',
  search: 'M11 5a6 6 0 100 12 6 6 0 000-12zM15.5 15.5L20 20',
  warning: 'M12 4L2.8 19.5h18.4L12 4zm0 6v4.5m0 2.5v.2',
  x: 'M6 6l12 12M18 6L6 18',
  minus: 'M5 12h14',
  plus: 'M5 12h14M12 5v14',
  shield: 'M12 3.5l7 2.5v5.5c0 4.2-2.9 7.6-7 9-4.1-1.4-7-4.8-7-9V6l7-2.5zM9 12l2.2 2.2L15.2 10',
  file: 'M7 3.5h7l4 4v13H7zM14 3.5v4h4',
} as const

export type IconName = keyof typeof paths

export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={paths[name]} />
  </svg>
)
