import { BracketTracker } from '../bracket-tracker.js'
import type { TurnDelta, TurnWatcher } from '../dialect.js'
import { PartEmitter } from '../part-emitter.js'
import type { Label } from './labels.js'
import { labelAt } from './labels.js'

const CLOSE = '</think>'
const LABEL_WORDS = ['thought', 'action input', 'action', 'observation', 'final answer'] as const
const HEAD = /^[ \t]*(?:(?:#{1,6}|[-*+>]|\d+[.)])[ \t]+)*[#\-+>*_`\d.)]{0,6}[ \t]*([a-z \t]*)\d*[ \t*_`]*$/i

/** True where a line may still turn out to begin with a label or a fence. */
function mayBeLabel(head: string): boolean {
  if (head.length > 48) return false
  // Marks behind the colon may belong to the label.
  if (/[:：][ \t]*[*_`]{0,3}$/.test(head) && labelAt(head, 0, head.length) !== null) return true
  const word = HEAD.exec(head)?.[1]?.trim().replace(/\s+/g, ' ').toLowerCase()
  return word !== undefined && LABEL_WORDS.some((label) => label.startsWith(word))
}

type Section = 'start' | 'thought' | 'answer' | 'action' | 'input' | 'silent'

/** Reads line by line; a line is held until it is clear that it begins with no label. */
export class ReactTextWatcher implements TurnWatcher {
  done = false
  private section: Section = 'start'
  private head = ''
  private deciding = true
  private fenced = false
  private fenceLine = ''
  private unlabelled: string[] = []
  private action = ''
  private tracker = new BracketTracker()
  private bare = false
  private readonly emitter = new PartEmitter()

  push(chunk: string): readonly TurnDelta[] {
    for (let rest = chunk; rest !== '' && !this.done; ) {
      const feed = rest.indexOf('\n')
      const part = feed < 0 ? rest : rest.slice(0, feed + 1)
      rest = rest.slice(part.length)
      this.take(part)
      if (feed >= 0) this.endLine()
    }
    return this.emitter.take()
  }

  private take(part: string): void {
    if (!this.deciding) {
      this.pass(part)
      return
    }
    this.head += part
    if (this.head.endsWith('\n') || !(mayBeLabel(this.head) || CLOSE.startsWith(this.head.trim()))) this.decide()
  }

  private endLine(): void {
    if (this.deciding && this.head !== '') this.decide()
    this.deciding = true
    this.head = ''
    this.fenceLine = ''
  }

  private decide(): void {
    const line = this.head
    this.head = ''
    this.deciding = false
    // Inside of a string of the input nothing is a label.
    if (this.section === 'input' && this.tracker.inString) {
      this.pass(line)
      return
    }
    if (this.section === 'start' && line.trim() === CLOSE) {
      this.flushUnlabelled()
      return
    }
    if (line.trimStart().startsWith('```')) {
      this.fenced = this.fenced ? !/^\s*`{3,}\s*$/.test(line) : true
      if (this.section === 'start' && this.unlabelled.every((held) => held.trim() === '')) this.section = 'silent'
      this.pass(line)
      return
    }
    const label = this.fenced || this.section === 'silent' ? null : labelAt(line, 0, line.length)
    if (label === null || (this.section === 'answer' && label.name !== 'observation')) this.pass(line)
    else this.enter(label, line.slice(label.from))
  }

  private enter(label: Label, rest: string): void {
    if (this.section === 'input' || (this.section === 'action' && label.name !== 'action-input')) {
      if (!this.goesOn(label)) return
    }
    if (label.name === 'observation') {
      this.done = true
      return
    }
    if (this.section === 'start') this.flushUnlabelled()
    if (label.name === 'thought') {
      this.section = 'thought'
      this.emitter.begin('reasoning')
    } else if (label.name === 'final-answer') {
      this.section = 'answer'
      this.emitter.begin('text')
    } else if (label.name === 'action') {
      this.section = 'action'
      this.action = ''
    } else this.section = this.section === 'action' ? this.enterInput() : 'silent'
    this.pass(rest)
  }

  /** What stood before the first label turns out to be a thought. */
  private flushUnlabelled(): void {
    if (this.unlabelled.length === 0) return
    this.emitter.begin('reasoning')
    this.emitter.add(this.unlabelled.join(''))
    this.unlabelled = []
  }

  private enterInput(): Section {
    if (/^[\s"'`*]*final[ _]answer[\s"'`*]*$/i.test(this.action)) {
      this.emitter.begin('text')
      return 'answer'
    }
    if (!/^\s*[^\s({[`]+\s*$/.test(this.action)) return 'silent'
    this.tracker = new BracketTracker()
    this.bare = false
    return 'input'
  }

  /** A label behind an action: the call is complete, unless the action was none. */
  private goesOn(label: Label): boolean {
    const name = this.action.trim().replace(/^["'`*]+|["'`*.]+$/g, '')
    if (/^(?:none|n\/a)$/i.test(name)) return true
    if (/^[^\s({[`]+$/.test(name) && !/^final$/i.test(name)) this.done = true
    else this.section = 'silent'
    return this.section === 'silent' && label.name === 'observation' && !/[({[`]/.test(name)
  }

  private pass(text: string): void {
    if (this.section === 'start') this.unlabelled.push(text)
    else if (this.section === 'thought' || this.section === 'answer') this.emitter.add(text)
    else if (this.section === 'action') this.action += text
    else if (this.section === 'input') this.passInput(text)
  }

  private passInput(text: string): void {
    if (this.bare) return
    if (!this.tracker.begun && text.trim() !== '' && !/^\s*(?:\{|`{3})/.test(this.fenceLine + text)) {
      if (!this.fenced) {
        this.bare = true
        return
      }
    }
    if (this.tracker.balanced) {
      if (text.trim() !== '' && !/^[\s}\]`]*$/.test(text)) this.done = true
      return
    }
    const end = this.tracker.push(text)
    if (end >= 0 && /\S/.test(text.slice(end).replace(/[}\]`]/g, ''))) this.done = true
  }
}
