import { approvalNode } from '../../../lab/drive/flows';
import type { Lab } from '../../../lab/lab';

/** Reads and decides requests as the people with phones in the sandbox. */
export function phonesOf({ sandbox }: Pick<Lab, 'sandbox'>) {
	const { user, manager, finance } = sandbox.demo;
	const people = { guest: user, manager, finance };
	type Holder = keyof typeof people;
	const idOf = (holder: Holder) => {
		const { phone } = people[holder];
		const [user] = sandbox.control('twoFactor', 'users', { phone }) as [{ twofactor_id: number }];
		return `${user.twofactor_id}`;
	};
	const requestsTo = (holder: Holder) =>
		sandbox.control('twoFactor', 'approvals', { twofactor_id: idOf(holder) }) as Array<{
			uuid: string;
			message: string;
		}>;
	/** Returns the requests with this message that were sent to a person, decided ones included. */
	const requestsWith = (holder: Holder, message: string) =>
		requestsTo(holder).filter((one) => one.message === message);
	return {
		idOf,
		requestsWith,
		/** Counts the requests to each person at the service. */
		counts: (message: string) =>
			Object.fromEntries(
				(Object.keys(people) as Holder[]).map((one) => [one, requestsWith(one, message).length]),
			),
		decide: (holder: Holder, message: string, decision: 'approved' | 'denied') => {
			const [request] = requestsWith(holder, message);
			sandbox.control('twoFactor', 'decide', { uuid: request!.uuid, decision });
		},
		/** A node in which the guest and the manager decide first, both of them, and finance after them. */
		twoLevels: (name: string, message: string) =>
			approvalNode(name, {
				message,
				decidedBy: 'severalPeople',
				levels: {
					level: [
						{ name: 'Team', people: `${idOf('guest')}, ${idOf('manager')}`, needed: 'all' },
						{ name: 'Finance', people: idOf('finance'), needed: 'all' },
					],
				},
			}),
	};
}
