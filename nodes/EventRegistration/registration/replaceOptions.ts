import type { IDataObject } from 'n8n-workflow';

import { BadInput } from '../../engine/errors';
import { collection, field } from '../../engine/field';
import { operation } from '../../engine/operation';
import { idNumber, isRecord, number } from '../../engine/values/convert';
import { eventId, registrationId } from '../fields';
import { isBlank, textOf } from '../form/form';
import type { Body } from '../form/form';
import { written } from '../records';
import { rowsOf } from '../rows';

/** One row of the panel as the service wants it; what is blank is left to the service. */
function toOption({ optionId, quantity, additionalInfo, more }: IDataObject): Body {
	const { groupId, price, total } = isRecord(more) ? more : {};
	const given: Body = {
		RegistrationOptionId: idNumber('Option')(optionId),
		RegistrationOptionGroupId: isBlank(groupId) ? undefined : idNumber('Option Group ID')(groupId),
		Quantity: amount('Quantity', quantity, true),
		Price: amount('Price', price),
		Total: amount('Total', total),
		AdditionalInfo: isBlank(additionalInfo) ? undefined : textOf(additionalInfo),
	};
	return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function amount(label: string, given: unknown, whole = false): number | undefined {
	if (isBlank(given)) return undefined;
	const read = number(label)(given);
	if (!whole || (Number.isInteger(read) && read >= 0)) return read;
	throw new BadInput(`${label} must be a whole number, not "${read}"`, `Check ${label}.`);
}

const registrationOptions = field({
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
	read: (given) => {
		const rows = rowsOf(given, 'options');
		if (rows.length > 0) return rows.map(toOption);
		throw new BadInput(
			'There are no options',
			'Add every option that the registration shall have, including those that it already has.',
		);
	},
	evenBlank: true,
	target: { in: 'body', as: 'RegistrationOptions' },
});

const additionalFields = collection({
	displayName: 'Additional Fields',
	name: 'additionalFields',
	placeholder: 'Add additional field',
	description: 'More about the change',
	options: [
		field({
			displayName: 'Payment Amount',
			name: 'paymentAmount',
			type: 'number',
			default: 0,
			description:
				'The amount that is paid with the change. Without it, the service charges the difference.',
			read: number('Payment Amount'),
			target: { in: 'body', as: 'PaymentAmount' },
		}),
	],
});

/** Replaces the options of a registration; the service charges for it. */
export const replaceOptions = operation({
	name: 'Replace Options',
	action: 'Replace the options of a registration',
	description:
		'Set what a registration includes. All present options are replaced, and the service charges or refunds the difference.',
	request: 'PUT /api/v1/events/{eventId}/registrations/{registrationId}/options',
	fields: { eventId, registrationId, registrationOptions, additionalFields },
	once: 'the options were replaced and charged',
	output: (answer, { registrationId: RegistrationId, eventId: EventId }) =>
		written(answer, 'OrderId', { RegistrationId, EventId }),
	yields: { success: 'boolean', RegistrationId: 'string', EventId: 'string', OrderId: 'integer' },
});
