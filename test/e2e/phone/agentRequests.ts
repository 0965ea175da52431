import type { Sandbox } from '../../../sandbox/server';
import { TwoFactorClient } from '../../sandbox/twoFactor.fixture';

const describeCall = (tool: string, count: number) => ({
	Tool: tool,
	Workflow: 'An agent that asks my phone before it refunds',
	Arguments: `${count}, marked •`,
});

/** Reviews of agents' tool calls, with the arguments as the tool will receive them. */
export const agentRequests = {
	refund: {
		message: 'The agent wants to refund a guest. Is that right?',
		details: {
			...describeCall('Refund', 3),
			'• Registration': '5000004',
			'• Amount': '83',
			'• Reason':
				'The conference dinner was full when Mio Satō arrived, and the guest had to leave without it. Two others at the same table confirm this.',
		},
	},
	code: {
		message: 'The agent wants to use Run_query. Is that right?',
		details: {
			...describeCall('Run_query', 7),
			'• query': "DELETE FROM registrations\nWHERE event_id = 1001\n  AND status = 'cancelled';",
			'• settings': '{"dryRun":false,"notify":["ops@example.com","finance@example.com"]}',
			'• address': `https://example.com/api/v1/events?token=${'x'.repeat(300)}`,
			'• sender': 'pay\\u202e001',
			'• note': 'These were all refunded in March',
			'• spaced': 'two  blanks',
			'• nothing': '',
		},
	},
	many: {
		message: 'The agent wants to use Import. Is that right?',
		details: {
			...describeCall('Import', 27),
			...Object.fromEntries(
				Array.from({ length: 26 }, (_, index) => [`• column${index}`, `value ${index}`]),
			),
			[`• ${'name'.repeat(24)}`]: 'v'.repeat(2000),
		},
	},
} satisfies Record<string, AgentRequest>;

/** The message of a request, and its rows by name. */
export interface AgentRequest {
	message: string;
	details: Record<string, string>;
}

/** Sends an approval request to the demo user, and returns its ID. */
export async function askDemoUser(sandbox: Sandbox, request: AgentRequest): Promise<string> {
	const client = new TwoFactorClient(sandbox);
	const { data: enrolled } = await client.enroll(sandbox.demo.user.phoneNumber);
	const { id } = enrolled.user as { id: number };
	const path = `/onetouch/json/users/${id}/approval_requests`;
	const { status, data } = await client.send('POST', path, request);
	if (status !== 200) throw new Error(`create answered ${status} ${JSON.stringify(data)}`);
	return (data.approval_request as { uuid: string }).uuid;
}
