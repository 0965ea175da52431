import type { Sandbox } from '../../sandbox/server';
import type { PasswordlessIdentityClient } from './passwordlessIdentityClient';
import { seededUserIds } from './twoFactorClient';
import type { TwoFactorClient } from './twoFactorClient';

/** Creates approval requests and returns their IDs. */
export async function createApprovals(client: TwoFactorClient, count: number): Promise<string[]> {
	const path = `/onetouch/json/users/${seededUserIds.withApp}/approval_requests`;
	const createApproval = async () => {
		const { status, data } = await client.send('POST', path, { message: 'Let me in?' });
		if (status !== 200) throw new Error(`create answered ${status} ${JSON.stringify(data)}`);
		return (data.approval_request as { uuid: string }).uuid;
	};
	return await Promise.all(Array.from({ length: count }, createApproval));
}

/** Creates scope jobs for the demo user and returns their IDs. */
export async function createJobs(
	client: PasswordlessIdentityClient,
	count: number,
): Promise<string[]> {
	return await Promise.all(Array.from({ length: count }, async () => await client.createJob()));
}

/** Decides an approval request as its user. */
export function decideApproval(
	sandbox: Pick<Sandbox, 'control'>,
	uuid: string,
	decision: 'approved' | 'denied',
): void {
	sandbox.control('twoFactor', 'decide', { uuid, decision });
}

/** Returns the times of all polls of an ID, oldest first. */
export function listPollTimes({ requestLog }: Pick<Sandbox, 'requestLog'>, id: string): number[] {
	return requestLog
		.entries()
		.filter(({ method, path }) => method === 'GET' && path.endsWith(`/${id}`))
		.map(({ at }) => at);
}
