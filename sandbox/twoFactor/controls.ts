import { normalizePhone } from '../phoneBus';
import type { Approval } from './approvals';
import type { TwoFactorState } from './state';
import { computeCurrentCode } from './totp';
import type { User } from './users';

type Input = Record<string, unknown>;

/** Control actions of the two-factor service, which the phone uses too. */
export function twoFactorControls({ world, users, approvals, verifications }: TwoFactorState) {
	const requirePending = ({ uuid }: Input): Approval => {
		const approval = typeof uuid === 'string' ? approvals.find(uuid) : undefined;
		if (!approval) throw new Error(`There is no approval request '${String(uuid)}'`);
		if (approval.status !== 'pending') {
			throw new Error(`The approval request is ${approval.status} already`);
		}
		return approval;
	};

	/** Selects users by `twofactor_id` or by `phone` (international format); all users without either. */
	const selectUsers = ({ twofactor_id, phone }: Input): User[] =>
		users
			.list()
			.filter(
				({ id, number }) =>
					(twofactor_id === undefined || String(id) === String(twofactor_id)) &&
					(phone === undefined || number.phone === normalizePhone(String(phone))),
			);

	const requireOneUser = (input: Input): User => {
		const [user, ...others] = selectUsers(input);
		if (!user) throw new Error('There is no such user');
		if (others.length > 0) throw new Error('Name the user by twofactor_id or phone');
		return user;
	};

	return {
		/** `{ uuid, decision: 'approved' | 'denied' }`: the user's decision. */
		decide: (input: Input) => {
			const { decision } = input;
			if (decision !== 'approved' && decision !== 'denied') {
				throw new Error("The decision must be 'approved' or 'denied'");
			}
			const approval = requirePending(input);
			approvals.decide(approval, decision);
			return { uuid: approval.uuid, status: approval.status };
		},

		/** `{ uuid }`: ends the request as if its time had run out. */
		expire: (input: Input) => {
			const approval = requirePending(input);
			approvals.expire(approval);
			return { uuid: approval.uuid, status: approval.status };
		},

		/** `{ twofactor_id?, phone?, status? }`: approval requests, oldest first. */
		approvals: (input: Input) => {
			const ids = new Set(selectUsers(input).map(({ id }) => id));
			return approvals
				.list()
				.filter(({ userId }) => ids.has(userId))
				.filter(({ status }) => input.status === undefined || status === input.status)
				.map(({ uuid, userId, phone, status, input: { message, details, hidden_details } }) => ({
					uuid,
					twofactor_id: userId,
					phone,
					status,
					message,
					details,
					hidden_details,
				}));
		},

		/** `{ twofactor_id?, phone? }`: the current codes of the authenticator app. */
		tokens: (input: Input) =>
			selectUsers(input).map(({ id, secret }) => ({
				twofactor_id: id,
				...computeCurrentCode(secret, world.now()),
			})),

		/** `{ phone? }`: SMS and calls, oldest first, with their codes. */
		messages: ({ phone }: Input) =>
			world.phone
				.items(phone === undefined ? undefined : { phone: normalizePhone(String(phone)) })
				.filter(({ kind }) => kind === 'sms' || kind === 'call'),

		/** `{ twofactor_id?, phone? }`: users with the secrets of their apps. */
		users: (input: Input) =>
			selectUsers(input).map(({ id, number, ...user }) => ({
				twofactor_id: id,
				phone: number.phone,
				...user,
			})),

		/** `{}`: pending phone verifications, with their codes. */
		verifications: () => verifications.list(),

		/** `{ twofactor_id | phone, device? }`: installs the app, from which the user then takes codes: SMS are suppressed. */
		installApp: (input: Input) => {
			const user = requireOneUser(input);
			users.installApp(user, typeof input.device === 'string' ? input.device : 'android');
			user.hasCodesInApp = true;
			return { twofactor_id: user.id, device: user.device!.os };
		},

		/** `{ twofactor_id | phone }`: removes the app. */
		removeApp: (input: Input) => {
			const user = requireOneUser(input);
			delete user.device;
			return { twofactor_id: user.id };
		},
	};
}
