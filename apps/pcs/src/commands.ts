/** The `pcs` command as data. */
import type { CommandProgram } from '@portcullis/command';
import type { PcsCommand } from './command.ts';
import { authority } from './commands/authority/authority.ts';
import { agent } from './commands/cluster/agent.ts';
import { credentialProvider } from './commands/cluster/credential-provider.ts';
import { running } from './commands/cluster/running.ts';
import { completion } from './commands/completion.ts';
import { gate } from './commands/gate.ts';
import { login } from './commands/login.ts';
import { logout } from './commands/logout.ts';
import { mirror } from './commands/mirror/mirror.ts';
import { pull } from './commands/pull.ts';
import { push } from './commands/push.ts';
import { report } from './commands/report.ts';
import { requestReview } from './commands/request-review.ts';
import { statements } from './commands/statements.ts';
import { transfer } from './commands/transfer.ts';
import { waive } from './commands/waive.ts';
import { why } from './commands/why.ts';

export const PROGRAM: CommandProgram<PcsCommand> = {
  name: 'pcs',
  purpose: 'container images through the gate of a Portcullis',
  commands: [
    login,
    logout,
    pull,
    push,
    gate,
    why,
    running,
    statements,
    transfer,
    mirror,
    authority,
    report,
    requestReview,
    waive,
    credentialProvider,
    agent,
    completion,
  ],
  options: {
    ca: { type: 'string', help: 'a file with the certificate authority of the server' },
  },
  closing: [
    '`pcs help <command>` shows more. PORTCULLIS_URL and PORTCULLIS_TOKEN take precedence over `pcs login`; PORTCULLIS_CA,',
    'HTTPS_PROXY, NO_PROXY and NO_COLOR are respected.',
    'The exit status is 0 for success, 1 for a failure, 2 for wrong usage, 3 for a blocked image, 4 for one without a',
    'complete scan.',
  ],
};
