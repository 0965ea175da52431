import type { IDataObject } from 'n8n-workflow';

import { BadInput } from '../../engine/errors';
import type { Field, Operation } from '../../engine/operation';
import { idNumber, number } from '../../engine/values/convert';
import { choices, eventId, registrationId } from '../fields';
import { isBlank, textOf } from '../form/form';
import { written } from '../records';

interface Row {
	optionId?: unknown;
	quantity?: unknown;
	additionalInfo?: unknown;
	more?: { groupId?: unknown; price?: unknown; total?: unknown };
}

/** One row of the panel as the service wants it; what is blank is left to the service. */
function toOption({ optionId, quantity, additionalInfo, more = {} }: Row): IDataObject {
	const { groupId, price, total } = more;
	const given: Array<[string, unknown]> = [
		['RegistrationOptionId', idNumber('Option')(optionId)],
		[
			'RegistrationOptionGroupId',
			isBlank(groupId) ? undefined : idNumber('Option Group ID')(groupId),
		],
		['Quantity', amount('Quantity', quantity, true)],
		['Price', amount('Price', price)],
		['Total', amount('Total', total)],
		['AdditionalInfo', isBlank(additionalInfo) ? undefined : textOf(additionalInfo)],
	];
	return Object.fromEntries(given.filter(([, value]) => value !== undefined)) as IDataObject;
}

function amount(label: string, given: unknown, whole = false): number | undefined {
	if (isBlank(given)) return undefined;
	const read = number(label)(given);
	if (!whole || (Number.isInteger(read) && read >= 0)) return read;
	throw new BadInput(`${label} must be a whole number, not "${read}"`, `Check ${label}.`);
}

const wanted: Field = {
	displayName: 'Registration Options',
	name: 'registrationOptions',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add option',
	default: {},
	required: true,
	description:
		'All options that the registration has from now on. Those that are not listed are taken away.',
	options: [
		{
			displayName: 'Option',
			name: 'options',
			values: [
				{
					displayName: 'Option Name or ID',
					name: 'optionId',
					type: 'options',
					typeOptions: {
						loadOptionsMethod: 'getOptions',
						loadOptionsDependsOn: ['eventId.value'],
					},
					default: '',
					description:
						'What the registration includes. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
				},
				{
					displayName: 'Quantity',
					name: 'quantity',
					type: 'number',
					typeOptions: { minValue: 0 },
					default: 1,
					description: 'How many of it',
				},
				{
					displayName: 'Additional Info',
					name: 'additionalInfo',
					type: 'string',
					default: '',
					placeholder: 'e.g. Vegetarian',
					description: 'The answer to the question that comes with the option, if there is one',
				},
				{
					displayName: 'More',
					name: 'more',
					type: 'collection',
					placeholder: 'Add field',
					default: {},
					description: 'What is rarely needed, since the service knows it by itself',
					options: [
						{
							displayName: 'Option Group ID',
							name: 'groupId',
							type: 'string',
							default: '',
							placeholder: 'e.g. 4011',
							description: 'The group that the option belongs to',
						},
						{
							displayName: 'Price',
							name: 'price',
							type: 'number',
							default: 0,
							description: 'Another price of one than the usual',
						},
						{
							displayName: 'Total',
							name: 'total',
							type: 'number',
							default: 0,
							description: 'The price of all of this option together',
						},
					],
				},
			],
		},
	],
	target: {
		in: 'body',
		as: 'RegistrationOptions',
		value: (given) => {
			const { options = [] } = (given ?? {}) as { options?: Row[] };
			if (options.length > 0) return options.map(toOption);
			throw new BadInput(
				'There are no options',
				'Add every option that the registration shall have, including those that it already has.',
			);
		},
		evenBlank: true,
	},
};

/** Replaces the options of a registration; the service charges for it. */
export const replaceOptions: Operation = {
	name: 'Replace Options',
	action: 'Replace the options of a registration',
	description:
		'Set what a registration includes. All present options are replaced, and the service charges or refunds the difference.',
	request: {
		method: 'PUT',
		path: '/api/v1/events/{eventId}/registrations/{registrationId}/options',
	},
	fields: [
		eventId,
		registrationId,
		wanted,
		choices('Additional Fields', 'More about the change', [
			{
				displayName: 'Payment Amount',
				name: 'paymentAmount',
				type: 'number',
				default: 0,
				description:
					'The amount that is paid with the change. Without it, the service charges the difference.',
				target: { in: 'body', as: 'PaymentAmount', value: number('Payment Amount') },
			},
		]),
	],
	effect: 'the options were replaced and charged',
	output: (answer, call) =>
		written(answer, 'OrderId', {
			RegistrationId: call.field('registrationId') as string,
			EventId: call.field('eventId') as string,
		}),
	yields: { success: 'boolean', RegistrationId: 'string', EventId: 'string', OrderId: 'integer' },
};
