import { setTimeout as delay } from 'node:timers/promises';

import { decideApproval } from '../../../lab/drive/approvalsAndJobs';
import { listApprovalIds, waitFor } from '../../../lab/drive/flows';
import type { Flow } from '../../../lab/drive/flows';
import type { Lab } from '../../../lab/lab';
import type { ChatServer, Turn } from '../support/chatServer';

/** Includes the time until a parked execution polls again after its process was killed. */
const ENDS_WITHIN_MS = 180_000;

type Decision = 'approved' | 'denied' | 'expire';

/** A request as the phone shows it. */
interface ShownRequest {
	uuid: string;
	message: string;
	details: Record<string, string>;
}

/** Has an agent call tools that are reviewed, and decides on the phone. */
export class Reviews {
	constructor(
		private readonly lab: Lab,
		private readonly chat: ChatServer,
		private readonly flow: Flow,
		/** Body of the request that starts an execution. */
		private readonly requestBody: object = {},
	) {}

	/**
	 * Plays the turns of the model, and decides each request as soon as the execution is parked. Returns what the phone has
	 * shown, the agent's last message, and the tool results that the model received.
	 */
	async run(turns: Turn[], decisions: Decision[], meanwhile: () => Promise<void> = async () => {}) {
		this.chat.setScript(turns);
		const idsBefore = listApprovalIds(this.lab);
		const newRequests = () => this.listRequests().filter(({ uuid }) => !idsBefore.includes(uuid));
		const run = await this.flow.start(this.requestBody);
		for (const [index, decision] of decisions.entries()) {
			const { uuid } = await waitFor(60_000, async () => newRequests()[index]);
			await run.waitForStatus('waiting', 60_000);
			await meanwhile();
			if (decision === 'expire') this.lab.sandbox.control('twoFactor', 'expire', { uuid });
			else decideApproval(this.lab.sandbox, uuid, decision);
		}
		await run.waitForStatus('success', ENDS_WITHIN_MS);
		const messages = this.chat.receivedRequests
			.at(-1)!
			.messages.filter(({ role }) => role === 'tool');
		return {
			shownRequests: newRequests(),
			agentReply: JSON.stringify(await run.items('Agent')),
			toolResults: messages.map(({ content }) => `${content as string}`),
		};
	}

	/** Waits until the condition is true. */
	async waitUntil(condition: () => boolean): Promise<void> {
		for (const deadline = Date.now() + 60_000; !condition(); await delay(100)) {
			if (Date.now() > deadline) throw new Error('The condition was not true within a minute');
		}
	}

	private listRequests(): ShownRequest[] {
		return this.lab.sandbox.control('twoFactor', 'approvals', {}) as ShownRequest[];
	}
}
