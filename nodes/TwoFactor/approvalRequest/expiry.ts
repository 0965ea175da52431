import { BadInput } from '../../engine/errors';
import { field } from '../../engine/field';
import { isOn } from '../../engine/values/convert';
import { isRecord } from '../../engine/values/isRecord';

const SECONDS_PER_UNIT: Record<string, number> = {
	seconds: 1,
	minutes: 60,
	hours: 3600,
	days: 86_400,
};
const MAX_SECONDS = 2_147_483_647;
/** Default of the service if the request names no expiry. */
const DEFAULT_SECONDS = 86_400;

export const expiry = field({
	displayName: 'Expires After',
	name: 'expiry',
	type: 'fixedCollection',
	default: {},
	placeholder: 'Set time',
	description: 'How long the user has to decide. Without this option, one day.',
	options: [
		{
			displayName: 'Time',
			name: 'time',
			values: [
				{
					displayName: 'Amount',
					name: 'amount',
					type: 'number',
					typeOptions: { minValue: 1 },
					default: 5,
				},
				{
					displayName: 'Unit',
					name: 'unit',
					type: 'options',
					options: [
						{ name: 'Days', value: 'days' },
						{ name: 'Hours', value: 'hours' },
						{ name: 'Minutes', value: 'minutes' },
						{ name: 'Seconds', value: 'seconds' },
					],
					default: 'minutes',
				},
			],
		},
	],
	read: (raw) => toSeconds(raw),
	target: { in: 'body', as: 'seconds_to_expire' },
});

/** Overrides 'Expires After': the service takes 0 for never. */
export const neverExpires = field({
	displayName: 'Never Expires',
	name: 'neverExpires',
	type: 'boolean',
	default: false,
	description:
		"Whether the request stays open until the user decides. 'Expires After' doesn't count then.",
	read: (raw) => (isOn(raw) ? 0 : undefined),
	target: { in: 'body', as: 'seconds_to_expire' },
});

/** Returns after how many seconds a request expires, unless it never does. */
export const lifetimeOf = (values: { expiry?: number }): number => values.expiry ?? DEFAULT_SECONDS;

/** Returns when a request that is sent now expires, in wall-clock time; undefined if it never does. */
export const expiresAt = (values: { expiry?: number; neverExpires?: number }) =>
	values.neverExpires === undefined ? Date.now() + 1000 * lifetimeOf(values) : undefined;

/**
 * Rejects an amount of 0: the service takes it for never, the opposite of what the user entered. The defaults apply to members
 * that n8n did not store, not to an expression that gives nothing.
 */
function toSeconds(raw: unknown): number | undefined {
	const time = isRecord(raw) ? raw.time : undefined;
	if (!time) return undefined;
	const { unit, amount } = { unit: 'minutes', amount: 5, ...(isRecord(time) && time) };
	const seconds = Math.round(Number(amount) * (SECONDS_PER_UNIT[`${unit}`] ?? Number.NaN));
	if (seconds > MAX_SECONDS) {
		throw new BadInput(
			"'Expires After' is longer than the service accepts, which is about 68 years",
			"Enter less, or use the option 'Never Expires' instead.",
		);
	}
	if (seconds >= 1) return seconds;
	throw new BadInput(
		"'Expires After' must be at least one second",
		"Check 'Expires After': enter an amount above 0 and a unit. For a request that never expires, use the option 'Never Expires' instead.",
	);
}
