import { type Command, Option } from 'commander'
import type { Io } from './io.js'

/** `tenon skills …`: names, options and help. What a command does is loaded when it runs. */
export function addSkills(program: Command, io: Io, ended: (code: number) => void): void {
  const skills = program
    .command('skills')
    .summary('list, show, check, add, trust skills; doctor')
    .description('Agent Skills: methods that an agent takes up when a task fits.')
    .addHelpText(
      'after',
      `
Examples:
  tenon skills list                             what there is, and what is wrong with it
  tenon skills check ./my-skill                 the linter for authors
  tenon skills add ./my-skill.zip               stage, check, scan, show, ask, install
  tenon skills add https://example.com/skills.git#v1 --skill review
  tenon run "/review src/"                      start a skill by its name`,
    )

  here(skills.command('list', { isDefault: true }))
    .description('Lists every skill that was found, also those that cannot be used, and what the catalogue takes.')
    .option('--json', 'one JSON object a line')
    .action(async (options) => {
      const { listSkills } = await import('./commands/list-skills.js')
      ended(await listSkills(io, options))
    })
  here(skills.command('show'))
    .description('Shows a skill: where it is, what was found out about it, and its text.')
    .argument('<name>', 'its name')
    .option('--json', 'as one JSON object')
    .action(async (name: string, options) => {
      const { showSkill } = await import('./commands/show-skill.js')
      ended(await showSkill(io, name, options))
    })
  skills
    .command('check')
    .description(
      'Checks a skill, or a folder of them, against the open standard and with advice. Exit code 1 when the standard is broken.',
    )
    .argument('<dir>', 'a skill, or a folder of them')
    .option('--json', 'one JSON object a skill')
    .action(async (dir: string, options) => {
      const { checkSkillsHere } = await import('./commands/check-skills-here.js')
      ended(checkSkillsHere(io, dir, options))
    })
  here(skills.command('doctor'))
    .description(
      'Says what keeps skills from working: broken ones, wrong folders, missing programs, tools and servers.',
    )
    .action(async (options) => {
      const { doctorSkills } = await import('./commands/doctor-skills.js')
      ended(await doctorSkills(io, options))
    })
  here(skills.command('trust'))
    .description(
      'Trusts a skill as it is now: the tools that it names may then be used without asking. A change ends it.',
    )
    .argument('<name>', 'its name')
    .option('--remove', 'trust it no longer')
    .action(async (name: string, options) => {
      const { trustSkill } = await import('./commands/trust-skill.js')
      ended(await trustSkill(io, name, options))
    })
  addInstall(skills, io, ended)
}

function addInstall(skills: Command, io: Io, ended: (code: number) => void): void {
  placed(skills.command('add'))
    .description('Fetches a skill, checks and scans it, shows what it holds and asks for, and installs it.')
    .argument('<source>', 'a folder, a zip or tar archive, a git address (…#REF), or npm:NAME')
    .option('--skill <name>', 'which one, where the source holds several')
    .option('--yes', 'do not ask')
    .action(async (source: string, options) => {
      const { addSkill } = await import('./commands/add-skill.js')
      ended(await addSkill(io, source, options))
    })
  placed(skills.command('update'))
    .description('Fetches installed skills again from where they came from. A change is shown and asked about.')
    .argument('[name...]', 'which; all if absent')
    .option('--yes', 'do not ask')
    .action(async (names: string[], options) => {
      const { updateSkills } = await import('./commands/update-skills.js')
      ended(await updateSkills(io, names, options))
    })
  placed(skills.command('remove'))
    .description('Takes an installed skill away.')
    .argument('<name>', 'its folder')
    .action(async (name: string, options) => {
      const { removeSkill } = await import('./commands/remove-skill.js')
      ended(removeSkill(io, name, options))
    })
  placed(skills.command('verify'))
    .description('Compares installed skills with what was installed. Exit code 1 when one was changed.')
    .action(async (options) => {
      const { verifySkills } = await import('./commands/verify-skills.js')
      ended(verifySkills(io, options))
    })
}

const here = (command: Command): Command =>
  command
    .option('--config <file>', 'configuration instead of the nearest tenon.yaml')
    .option('--workspace <dir>', 'the project whose skills are meant')

const placed = (command: Command): Command =>
  command
    .addOption(new Option('--project', 'in the skills of this project instead of your own').conflicts('into'))
    .addOption(new Option('--into <dir>', 'in this skills folder'))
