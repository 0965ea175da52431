import type { Lab } from './lab';

/** Returns the message printed when the lab is ready: addresses, password and first steps. */
export function formatReadyMessage({ n8nUrl, sandbox, owner, examples }: Lab): string {
	const [first] = examples;
	const firstStep = first
		? `Open ${n8nUrl}/workflow/${first.id}
     ("${first.name}"), sign in as above and click "Execute workflow".`
		: `Open ${n8nUrl}, sign in as above, create a workflow and search the
     nodes panel for "gatehouse".`;
	const activeCount = examples.filter(({ active }) => active).length;
	const summary = first
		? `${examples.length} example workflows, ${activeCount} are active`
		: 'no example workflows';
	return `
Everything is ready.

  n8n       ${n8nUrl}
            ${owner.email}   password  ${owner.password}
            ${summary}
  Sandbox   ${sandbox.url}
            simulates the services; n8n already has credentials for them.
            This page shows addresses, keys, people and data to play with
  Phones    ${sandbox.phoneUrl}?user=guest
            ${sandbox.phoneUrl}?user=manager
            stand in for two people's phones: approve, deny, read codes
            ${sandbox.phonesUrl}
            shows the phones of all four people, for approvals by several
  Desk      ${sandbox.deskUrl}
            stands in for an event: register people, check them in, take orders

First steps:
  1. ${firstStep}
  2. Open the guest's phone in a second tab and approve the request.

Press Ctrl+C to stop.
`;
}
