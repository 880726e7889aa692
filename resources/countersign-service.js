/** The form of the configuration node: it checks and tries the entered values, opens pages, and warns. */
/* global RED, $, countersign */
window.countersignService = (() => {
  const text = (key, values) => countersign.text(key, values)
  const PASSWORD = '__PWRD__'

  /** Returns the entered values as they would be stored. An invalid choice is empty. */
  function typed(node) {
    const names = Object.keys(node._def.defaults)
    const entries = names
      .map((name) => [name, countersign.now(node, name)])
      .map(([name, value]) => [name, value === '_ADD_' ? '' : value])
    const apiKey = $('#node-config-input-apiKey').val()
    return { properties: Object.fromEntries(entries), ...(apiKey !== PASSWORD && { apiKey }) }
  }

  /** The button that tries the settings. What it found holds until something in the form is edited. */
  function trial(node) {
    const result = $('#countersign-test-result')
    let latest = 0
    const say = (key) => result.empty().append($('<li>').text(text(`test.${key}`)))
    result.closest('.red-ui-tray').on('input change', () => {
      latest += 1
      if (result.children().length > 0) say('edited')
    })
    $('#countersign-test').on('click', () => {
      latest += 1
      const asked = latest
      const ifLatest = (show) => (answer) => asked === latest && show(answer)
      say('asking')
      countersign.post(`countersign/services/${encodeURIComponent(node.id)}/test`, typed(node)).then(
        ifLatest((rows) => result.empty().append(rows.map(line))),
        ifLatest(({ status }) => say(status === 401 || status === 403 ? 'notAllowed' : 'noAnswer')),
      )
    })
  }

  const line = ({ what, ok, advice }) =>
    $('<li>')
      .addClass(ok ? 'countersign-ok' : 'countersign-failed')
      .append(
        $('<i>').addClass(ok ? 'fa fa-check' : 'fa fa-times'),
        $('<b>').text(` ${text(`test.what.${what}`)}: ${text(ok ? 'test.ok' : 'test.failed')}`),
        advice ? $('<span>').text(` – ${advice}`) : '',
      )

  /** The pages of the embedded service, while it runs and where this browser reaches them. */
  function pages(node) {
    const links = $('#countersign-pages').hide()
    const hint = $('#countersign-no-pages')
    const say = (key) => hint.text(text(`pages.${key}`))
    const from = `pages?from=${encodeURIComponent(location.hostname)}`
    countersign.ask('GET', node.id, from).then(
      (addresses) => {
        if (!addresses.runs) return say('notRunning')
        if (!addresses.inbox) return say('notReachable')
        for (const link of links.find('a').get()) link.href = addresses[link.dataset.page]
        links.show()
      },
      () => say('notRunning'),
    )
  }

  /** Shows what someone has to know about settings that are allowed only on purpose, while they are typed. */
  function warnings() {
    const field = (name) => $(`#node-config-input-${name}`)
    const update = () => {
      const isHost = field('mode').val() === 'host'
      const bindHost = (field('bindHost').val() || '127.0.0.1').replace(/^::1$/, '[::1]')
      const url = countersign.parsed(field('baseUrl').val())
      const isClear = url?.protocol === 'http:' && !countersign.isLoopback(url.hostname)
      $('#countersign-clear-text').toggle(isHost && (isClear || Boolean(field('httpHosts').val())))
      $('#countersign-exposed').toggle(!isHost && !countersign.isLoopback(bindHost))
    }
    for (const name of ['mode', 'baseUrl', 'httpHosts', 'bindHost']) field(name).on('input change', update)
    update()
  }

  /** Whether a text is empty or the hosts that may be called over http. */
  const isHosts = (value) =>
    countersign.isVariable(value || '') ||
    countersign.hostsOf(value).every((host) => countersign.parsed(`http://${host}`)?.host === host)

  /** Whether a text is empty or an address to listen at. */
  const isAddress = (value) =>
    !value ||
    countersign.isVariable(value) ||
    value === 'localhost' ||
    (/^\d+(\.\d+){3}$/.test(value) && URL.canParse(`http://${value}`)) ||
    (value.includes(':') && URL.canParse(`http://[${value}]`))

  /** Whether a text is empty or an address at which people may sign in. */
  function isOrigin(value) {
    const url = countersign.parsed(value || '')
    if (!url) return !value || countersign.isVariable(value)
    const isWhole = url.href === `${url.origin}/` && url.username === ''
    return isWhole && (url.protocol === 'https:' || countersign.isLoopback(url.hostname))
  }

  /** Whether a text is empty or the name of a time zone. */
  function isTimeZone(value) {
    if (!value || countersign.isVariable(value)) return true
    try {
      return new Intl.DateTimeFormat('en', { timeZone: value.trim() }).format() !== ''
    } catch {
      return false
    }
  }

  /** Whether a text is empty or an object as JSON. What is in it is read when the node is deployed. */
  function isProfile(value) {
    if (!value) return true
    try {
      const profile = JSON.parse(value)
      return typeof profile === 'object' && profile !== null && !Array.isArray(profile)
    } catch {
      return false
    }
  }

  /** The profile of a host: none, one that is pasted or loaded, or a copy of what another service has. */
  function profileInput(node) {
    const choice = $('#countersign-profile-choice')
    const json = $('#node-config-input-profile')
    const file = $('#countersign-profile-file')
    RED.nodes.eachConfig((other) => {
      if (other.type !== node.type || other.id === node.id || !other.profile) return
      $('<option>')
        .val(other.id)
        .text(text('profile.of', { name: other.name || other.baseUrl || other.id }))
        .appendTo(choice)
    })
    const take = (value) => json.val(value).trigger('change')
    const update = () => {
      const chosen = choice.val()
      if (chosen === 'none') take('')
      else if (chosen !== 'own') {
        take(RED.nodes.node(chosen).profile)
        choice.val('own')
      }
      $('.countersign-profile').toggle(choice.val() === 'own')
    }
    choice.val(json.val() ? 'own' : 'none').on('change', update)
    update()
    $('#countersign-profile-load').on('click', () => file.trigger('click'))
    file.on('change', async () => {
      const [loaded] = file[0].files
      if (loaded) take(await loaded.text())
      file.val('')
    })
  }

  return { trial, pages, warnings, isHosts, isAddress, isOrigin, isTimeZone, isProfile, profileInput }
})()
