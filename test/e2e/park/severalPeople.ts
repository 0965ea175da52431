import { approvalNode } from '../../../lab/drive/flows';
import type { Lab } from '../../../lab/lab';

/** Reads and decides requests as the people with phones in the sandbox. */
export function openPhones({ sandbox }: Pick<Lab, 'sandbox'>) {
	const { user, manager, finance } = sandbox.demo;
	const people = { guest: user, manager, finance };
	type Holder = keyof typeof people;
	const readUserId = (holder: Holder) => {
		const { phone } = people[holder];
		const [user] = sandbox.control('twoFactor', 'users', { phone }) as [{ twofactor_id: number }];
		return `${user.twofactor_id}`;
	};
	const listRequestsTo = (holder: Holder) =>
		sandbox.control('twoFactor', 'approvals', { twofactor_id: readUserId(holder) }) as Array<{
			uuid: string;
			message: string;
		}>;
	/** Returns the requests with this message that were sent to a person, decided ones included. */
	const listRequestsWith = (holder: Holder, message: string) =>
		listRequestsTo(holder).filter((request) => request.message === message);
	return {
		readUserId,
		listRequestsWith,
		/** Counts the requests to each person at the service. */
		countRequests: (message: string) =>
			Object.fromEntries(
				(Object.keys(people) as Holder[]).map((holder) => [
					holder,
					listRequestsWith(holder, message).length,
				]),
			),
		decide: (holder: Holder, message: string, decision: 'approved' | 'denied') => {
			const [request] = listRequestsWith(holder, message);
			sandbox.control('twoFactor', 'decide', { uuid: request!.uuid, decision });
		},
		/** Returns a node in which the guest and the manager must both approve, and finance after them. */
		createTwoLevelNode: (name: string, message: string) =>
			approvalNode(name, {
				message,
				decidedBy: 'severalPeople',
				levels: {
					level: [
						{
							name: 'Team',
							people: `${readUserId('guest')}, ${readUserId('manager')}`,
							needed: 'all',
						},
						{ name: 'Finance', people: readUserId('finance'), needed: 'all' },
					],
				},
			}),
	};
}
