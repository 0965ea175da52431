import type { IDataObject } from 'n8n-workflow';

import { BadInput } from '../../engine/errors';
import { collection, field } from '../../engine/field';
import { operation } from '../../engine/operation';
import { idNumberReader, integerReader, numberReader } from '../../engine/values/convert';
import { isRecord } from '../../engine/values/isRecord';
import { unlessBlank, isBlank } from '../../engine/values/texts';
import { eventId, registrationId } from '../fields';
import { rowsOf } from '../fixedCollection';
import type { Body } from '../form/mappedValues';
import { textOf } from '../form/readForm';
import { chargedOrderShape, writeOutput } from '../records';

/** Converts a row of the panel into the service's format. Blank values are omitted; the service fills them in. */
function toOption({ optionId, quantity, additionalInfo, more: moreFields }: IDataObject): Body {
	const { groupId, price, total } = isRecord(moreFields) ? moreFields : {};
	const fields: Body = {
		RegistrationOptionId: idNumberReader('Option')(optionId),
		RegistrationOptionGroupId: isBlank(groupId)
			? undefined
			: idNumberReader('Option Group ID')(groupId),
		Quantity: readQuantity(quantity),
		Price: unlessBlank(numberReader('Price'))(price),
		Total: unlessBlank(numberReader('Total'))(total),
		AdditionalInfo: isBlank(additionalInfo) ? undefined : textOf(additionalInfo),
	};
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

const readQuantity = unlessBlank((raw: unknown): number => {
	const quantity = integerReader('Quantity')(raw);
	if (quantity >= 0) return quantity;
	throw new BadInput(`'Quantity' must be 0 or more, not "${quantity}"`, "Check 'Quantity'.");
});

const registrationOptions = field({
	displayName: 'Registration Options',
	name: 'registrationOptions',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add registration option',
	default: {},
	required: true,
	description: 'The complete set of options. Options not listed are removed.',
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
						'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
				},
				{
					displayName: 'Quantity',
					name: 'quantity',
					type: 'number',
					typeOptions: { minValue: 0 },
					default: 1,
				},
				{
					displayName: 'Additional Info',
					name: 'additionalInfo',
					type: 'string',
					default: '',
					placeholder: 'e.g. Vegetarian',
					description: 'Answer to the question that comes with the option, if any',
				},
				{
					displayName: 'Overrides',
					name: 'more',
					type: 'collection',
					placeholder: 'Add override',
					default: {},
					description: 'Values the service normally fills in',
					options: [
						{
							displayName: 'Option Group ID',
							name: 'groupId',
							type: 'string',
							default: '',
							placeholder: 'e.g. 4011',
							description: 'Group that the option belongs to',
						},
						{
							displayName: 'Price',
							name: 'price',
							type: 'number',
							default: '',
							placeholder: 'e.g. 25',
							description: 'Unit price, if different from the standard price',
						},
						{
							displayName: 'Total',
							name: 'total',
							type: 'number',
							default: '',
							placeholder: 'e.g. 50',
							description: 'Price of all units together, if not the unit price times the quantity',
						},
					],
				},
			],
		},
	],
	read: (raw) => {
		const rows = rowsOf(raw, 'options');
		if (rows.length > 0) return rows.map(toOption);
		throw new BadInput(
			"'Registration Options' is empty",
			'Add every option that the registration should have, including those it already has.',
		);
	},
	readWhenBlank: true,
	target: { in: 'body', as: 'RegistrationOptions' },
});

const additionalFields = collection({
	displayName: 'Additional Fields',
	name: 'additionalFields',
	placeholder: 'Add Field',
	options: [
		field({
			displayName: 'Payment Amount',
			name: 'paymentAmount',
			type: 'number',
			default: '',
			placeholder: 'e.g. 25',
			description:
				'Amount paid with this change. Leave empty to let the service charge the difference.',
			read: unlessBlank(numberReader('Payment Amount')),
			target: { in: 'body', as: 'PaymentAmount' },
		}),
	],
});

export const replaceOptions = operation({
	name: 'Replace Options',
	action: 'Replace the options of a registration',
	description:
		"Replace all of a registration's options. The price difference is charged or refunded.",
	request: 'PUT /api/v1/events/{eventId}/registrations/{registrationId}/options',
	fields: { eventId, registrationId, registrationOptions, additionalFields },
	effect: 'the options were replaced and charged',
	output: (response, { registrationId: RegistrationId, eventId: EventId }) =>
		writeOutput(response, 'OrderId', { RegistrationId, EventId }),
	...chargedOrderShape,
});
