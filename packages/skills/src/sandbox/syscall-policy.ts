import type { SyscallRule } from './seccomp-filter.js'
import type { SyscallName } from './syscall-table.js'

/** The flags of clone(2) that make a namespace. */
const NEW_NAMESPACE = 0x7e020000
const TIOCSTI = 0x5412
const TIOCLINUX = 0x541c

const refuse = (...calls: readonly SyscallName[]): SyscallRule[] =>
  calls.map((call) => ({ call, answer: 'refuse' }) as const)

/** Never needed by a script: looking into others, kernel keyrings, mounts, namespaces, modules, and rarely tested doors. */
export const EVERYWHERE: readonly SyscallRule[] = [
  ...refuse('ptrace', 'process_vm_readv', 'process_vm_writev', 'kcmp', 'perf_event_open', 'process_madvise'),
  ...refuse('process_mrelease', 'pidfd_open', 'pidfd_getfd', 'pidfd_send_signal', 'migrate_pages', 'move_pages'),
  ...refuse('keyctl', 'add_key', 'request_key'),
  ...refuse('mount', 'umount2', 'pivot_root', 'chroot', 'open_tree', 'move_mount', 'fsopen', 'fsconfig', 'fsmount'),
  ...refuse('fspick', 'mount_setattr', 'name_to_handle_at', 'open_by_handle_at', 'quotactl', 'fanotify_init'),
  ...refuse('setns', 'unshare', 'init_module', 'finit_module', 'delete_module', 'kexec_load', 'kexec_file_load'),
  ...refuse('bpf', 'userfaultfd', 'io_uring_setup', 'io_uring_enter', 'io_uring_register'),
  ...refuse('reboot', 'swapon', 'swapoff', 'acct', 'settimeofday', 'clock_settime', 'syslog'),
  { call: 'clone', answer: 'refuse', when: { argument: 0, bits: NEW_NAMESPACE } },
  // Its flags lie in memory, where no filter can look. C libraries fall back to clone.
  { call: 'clone3', answer: 'unknown' },
  { call: 'ioctl', answer: 'refuse', when: { argument: 1, equal: [TIOCSTI, TIOCLINUX] } },
]

/**
 * What namespaces would have closed, for a job that stays in the host's: sockets of every kind, the host's shared
 * memory and queues, the limits and priorities of other processes. No process may leave its group, so that a signal to
 * the group reaches all of them.
 */
export const WITHOUT_NAMESPACES: readonly SyscallRule[] = [
  ...refuse('socket', 'setsid', 'setpgid'),
  ...refuse('shmget', 'shmat', 'shmctl', 'semget', 'semop', 'semctl', 'semtimedop'),
  ...refuse('msgget', 'msgsnd', 'msgrcv', 'msgctl', 'mq_open', 'mq_unlink'),
  ...(['prlimit64', 'sched_setaffinity', 'sched_setattr', 'sched_setparam', 'sched_setscheduler'] as const).map(
    (call): SyscallRule => ({ call, answer: 'refuse', when: { argument: 0, notZero: true } }),
  ),
  { call: 'setpriority', answer: 'refuse', when: { argument: 1, notZero: true } },
  { call: 'ioprio_set', answer: 'refuse', when: { argument: 1, notZero: true } },
]

/**
 * Landlock does not look at changes of mode, owner, times and attributes by path, so a job that runs as the host's own
 * user could make them anywhere. They are ignored rather than refused: copying a file would fail otherwise.
 */
export const AS_HOST_USER: readonly SyscallRule[] = (
  [
    'chmod',
    'fchmodat',
    'fchmodat2',
    'chown',
    'lchown',
    'fchownat',
    'setxattr',
    'lsetxattr',
    'setxattrat',
    'removexattr',
    'lremovexattr',
    'removexattrat',
    'utime',
    'utimes',
    'futimesat',
    'utimensat',
  ] as const
).map((call) => ({ call, answer: 'ignore' }))
