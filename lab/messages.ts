import type { Lab } from './lab';

/** What a person reads when everything runs: where to go, how to get in, what to click first. */
export function readyMessage({ n8nUrl, sandbox, owner, examples }: Lab): string {
	const [first] = examples;
	const toClick = first
		? `Open ${n8nUrl}/workflow/${first.id}
     ("${first.name}"), sign in as above and press "Execute workflow".`
		: `Open ${n8nUrl}, sign in as above, make a workflow and search the
     nodes panel for "identity", "two-factor" or "event".`;
	const running = examples.filter(({ active }) => active).length;
	const summary = first
		? `${examples.length} example workflows, ${running} of them waiting for something to happen`
		: 'no example workflows';
	return `
The lab is ready.

  n8n       ${n8nUrl}
            ${owner.email}   password  ${owner.password}
            ${summary}
  Phone     ${sandbox.phoneUrl}
            plays the user's mobile: approve, deny and read codes there
  Sandbox   ${sandbox.url}
            all services; the credentials for them are in n8n already

Click first:
  1. ${toClick}
  2. Open the phone in a second tab and approve what arrives there.

Ctrl+C ends it.
`;
}
