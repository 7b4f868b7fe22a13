import { BracketTracker } from '../bracket-tracker.js'
import type { TurnDelta, TurnWatcher } from '../dialect.js'
import { PartEmitter } from '../part-emitter.js'

const TAG = /^<(\/?)(thought|action|observation|final_answer)\s*>/i
const TAG_NAMES = ['thought', 'action', 'observation', 'final_answer'] as const

function mayBeTag(text: string): boolean {
  const word = /^<\/?([a-z_]*)(\s*)$/i.exec(text)
  if (word === null || text.length > 24) return false
  const name = (word[1] ?? '').toLowerCase()
  return TAG_NAMES.some((tag) => (word[2] === '' ? tag.startsWith(name) : tag === name))
}

type Section = 'outside' | 'thought' | 'drafting' | 'action' | 'answer' | 'silent'

/** Follows the tags; text that may be the beginning of a tag is held. */
export class ReactXmlWatcher implements TurnWatcher {
  done = false
  private section: Section = 'outside'
  private held = ''
  /** Text whose reading is still open: before the first tag, or behind a tag inside of an open thought. */
  private open: string[] = []
  private tracker = new BracketTracker()
  private readonly emitter = new PartEmitter()

  push(chunk: string): readonly TurnDelta[] {
    let text = this.held + chunk
    this.held = ''
    while (text !== '' && !this.done) {
      const at = this.nextTag(text)
      this.pass(text.slice(0, at))
      text = text.slice(at)
      if (text === '') break
      const tag = TAG.exec(text)
      if (tag !== null) {
        const [whole, slash, name = ''] = tag
        this.enter(name.toLowerCase(), slash === '/', whole)
        text = text.slice(whole.length)
      } else if (mayBeTag(text)) {
        this.held = text
        break
      } else {
        this.pass('<')
        text = text.slice(1)
      }
    }
    return this.emitter.take()
  }

  /** The next place that may be a tag; inside of an action strings are passed over. */
  private nextTag(text: string): number {
    if (this.section !== 'action') {
      const at = text.indexOf('<')
      return at < 0 ? text.length : at
    }
    for (let at = 0; at < text.length; at++) {
      if (text[at] === '<' && !this.tracker.inString) {
        return at
      }
      this.tracker.push(text[at] ?? '')
    }
    return text.length
  }

  private pass(text: string): void {
    if (text === '') return
    if (this.section === 'thought' || this.section === 'answer') this.emitter.add(text)
    else if (this.section === 'outside' || this.section === 'drafting') this.open.push(text)
  }

  private enter(name: string, closing: boolean, written: string): void {
    switch (this.section) {
      case 'outside':
        this.enterFromOutside(name, closing)
        return
      case 'thought':
        if (name === 'thought' && closing) this.section = 'outside'
        else if (name === 'thought') this.emitter.begin('reasoning')
        else {
          this.section = 'drafting'
          this.open = [written]
        }
        return
      case 'drafting':
        if (name !== 'thought') this.open.push(written)
        else if (closing) {
          this.emitter.add(this.open.join(''))
          this.open = []
          this.section = 'outside'
        } else this.section = 'silent'
        return
      case 'action':
        this.done = this.tracker.balanced || (name === 'action' && closing)
        if (!this.done) this.section = 'silent'
        return
      case 'answer':
        if (name === 'final_answer' && closing) this.done = true
        else this.emitter.add(written)
        return
      case 'silent':
        return
    }
  }

  private enterFromOutside(name: string, closing: boolean): void {
    if (this.open.length > 0) {
      this.emitter.begin('reasoning')
      // A fence around the action, or around the whole turn, is no thought.
      const fence = name === 'action' && !closing ? /(?:^|\n)[ \t]*```[\w+-]*\s*$/ : /^\s*```[\w+-]*\s*$/
      const open = this.open.join('').replace(fence, '')
      this.emitter.add(open.replace(/(^|\n)[ \t]*<\/think>[ \t]*(\n|$)/, '\n'))
      this.open = []
    }
    if (closing) return
    if (name === 'thought') {
      this.section = 'thought'
      this.emitter.begin('reasoning')
    } else if (name === 'action') {
      this.section = 'action'
      this.tracker = new BracketTracker()
    } else if (name === 'final_answer') {
      this.section = 'answer'
      this.emitter.begin('text')
    } else this.done = true
  }
}
