/** The drop-down of presets in the forms of the nodes that map messages. What is chosen is in the map itself, as its `preset`. */
/* global $ */
window.countersignPreset = (() => {
  /** The map of the open form; null when it is elsewhere, or is no object. */
  function mapIn(input) {
    if (input.typedInput('type') !== 'json') return null
    try {
      const map = JSON.parse(input.typedInput('value'))
      return typeof map === 'object' && !Array.isArray(map) ? map : null
    } catch {
      return null
    }
  }

  /** Lets the drop-down show and change the preset of the map. Call it after the typed inputs are made. */
  function show() {
    const input = $('#node-input-map')
    const select = $('#countersign-preset')
    const follow = () => {
      const map = mapIn(input)
      select.prop('disabled', map === null).val(map?.preset ?? '')
    }
    select.on('change', () => {
      const { preset: _, ...own } = mapIn(input)
      const preset = select.val()
      input.typedInput('value', JSON.stringify(preset === '' ? own : { preset, ...own }))
    })
    input.on('change', follow)
    follow()
  }

  return { show }
})()
