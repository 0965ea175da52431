import { BadInput } from '../errors';
import { field } from '../field';
import type { ReadContext } from '../field';
import { numberReader } from '../values/convert';
import { toIsoDate } from '../values/dates';
import { isRecord } from '../values/isRecord';

const SECONDS: Record<string, number> = { minutes: 60, hours: 3600, days: 86_400 };
const LABEL = 'Limit Wait Time';

/** Time limit of a wait, with the names and the layout of n8n's own nodes. Its value is read as seconds. */
export const limitWaitTime = field({
	displayName: LABEL,
	name: 'limitWaitTime',
	type: 'fixedCollection',
	default: { values: { limitType: 'afterTimeInterval', resumeAmount: 45, resumeUnit: 'minutes' } },
	description:
		'Whether to limit the time this node should wait for a user response before execution resumes',
	options: [
		{
			displayName: 'Values',
			name: 'values',
			values: [
				{
					displayName: 'Limit Type',
					name: 'limitType',
					type: 'options',
					default: 'afterTimeInterval',
					description:
						'Sets the condition for the execution to resume. Can be a specified date or after some time.',
					options: [
						{
							name: 'After Time Interval',
							value: 'afterTimeInterval',
							description: 'Waits for a certain amount of time',
						},
						{
							name: 'At Specified Time',
							value: 'atSpecifiedTime',
							description: 'Waits until the set date and time to continue',
						},
					],
				},
				{
					displayName: 'Amount',
					name: 'resumeAmount',
					type: 'number',
					typeOptions: { minValue: 0, numberPrecision: 2 },
					default: 1,
					description: 'The time to wait',
					displayOptions: { show: { limitType: ['afterTimeInterval'] } },
				},
				{
					displayName: 'Unit',
					name: 'resumeUnit',
					type: 'options',
					options: [
						{ name: 'Days', value: 'days' },
						{ name: 'Hours', value: 'hours' },
						{ name: 'Minutes', value: 'minutes' },
					],
					default: 'hours',
					description: 'Unit of the interval value',
					displayOptions: { show: { limitType: ['afterTimeInterval'] } },
				},
				{
					displayName: 'Max Date and Time',
					name: 'maxDateAndTime',
					type: 'dateTime',
					default: '',
					description: 'Continue execution after the specified date and time',
					displayOptions: { show: { limitType: ['atSpecifiedTime'] } },
				},
			],
		},
	],
	read: (raw, context) => toSeconds(raw, context),
});

function toSeconds(
	raw: unknown,
	{ timezone, onLocalDate }: Pick<ReadContext, 'timezone' | 'onLocalDate'>,
): number | undefined {
	const values = isRecord(raw) ? raw.values : undefined;
	if (!isRecord(values)) return undefined;
	// The defaults apply to members that n8n did not store, not to an expression that gives nothing.
	const { limitType, resumeAmount, resumeUnit } = {
		limitType: 'afterTimeInterval',
		resumeAmount: 1,
		resumeUnit: 'hours',
		...values,
	};
	if (limitType === 'atSpecifiedTime') {
		const date = toIsoDate('Max Date and Time', values.maxDateAndTime, timezone, onLocalDate);
		if (date === undefined) {
			throw new BadInput(`'${LABEL}' has no date`, "Choose 'Max Date and Time'.");
		}
		// A resumed node reads the parameter again. The date may have passed by then, which must not be an error.
		return Math.max(1, (Date.parse(date) - Date.now()) / 1000);
	}
	if (limitType !== 'afterTimeInterval') {
		throw new BadInput(
			`The limit type of '${LABEL}' is not known`,
			"Choose 'After Time Interval' or 'At Specified Time'. An expression must give afterTimeInterval or atSpecifiedTime.",
		);
	}
	const seconds = numberReader(LABEL)(resumeAmount) * (SECONDS[`${resumeUnit}`] ?? Number.NaN);
	if (seconds > 0) return seconds;
	throw new BadInput(
		`'${LABEL}' must be longer than 0`,
		`Check '${LABEL}': enter an amount above 0 and a unit, or remove the option to wait without a limit.`,
	);
}
