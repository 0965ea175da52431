import { make } from '/common/dom.js';
import { showToast } from '/common/shell.js';

import { runAction } from './api.js';
import { createForm } from './fields.js';

const service = 'eventRegistration';

/** Formats an amount of money in the user's locale. */
const formatMoney = (amount, currency) =>
	new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(amount);

/** Returns the fields of an order: one choice for a group that allows one, and a quantity for each other option. */
function createOrderFields({ groups, currency }) {
	const labelWithPrice = ({ name, price }) => `${name} (${formatMoney(price, currency)})`;
	return groups.flatMap((group) => {
		if (!group.multiple) {
			const options = group.options.map((option) => ({
				value: option.id,
				label: labelWithPrice(option),
			}));
			return [{ name: `group ${group.id}`, label: group.name, required: !group.optional, options }];
		}
		return group.options.flatMap((option) => [
			{
				name: `option ${option.id}`,
				label: `${group.name}: ${labelWithPrice(option)}`,
				hasNoEmptyOption: true,
				options: Array.from({ length: option.max + 1 }, (_, count) => String(count)),
			},
			...(option.question
				? [{ name: `info ${option.id}`, label: `${option.name}: ${option.question}` }]
				: []),
		]);
	});
}

/** Converts the chosen options into the API's input. */
function toOptionsInput({ groups }, values) {
	return groups.flatMap((group) => {
		const optionId = values[`group ${group.id}`];
		if (!group.multiple) return optionId ? [{ RegistrationOptionId: Number(optionId) }] : [];
		return group.options.flatMap(({ id }) => {
			const Quantity = Number(values[`option ${id}`]);
			const AdditionalInfo = values[`info ${id}`];
			if (Quantity === 0) return [];
			return [{ RegistrationOptionId: id, Quantity, ...(AdditionalInfo && { AdditionalInfo }) }];
		});
	});
}

/** Returns the current order as values of those fields. */
function readOrderValues({ groups }, sale) {
	const items = new Map((sale?.items ?? []).map((item) => [item.RegistrationOptionId, item]));
	return Object.fromEntries(
		groups.flatMap((group) => [
			[`group ${group.id}`, group.options.find(({ id }) => items.has(id))?.id],
			...group.options.flatMap(({ id }) => [
				[`option ${id}`, items.get(id)?.Quantity ?? 0],
				[`info ${id}`, items.get(id)?.AdditionalInfo],
			]),
		]),
	);
}

/** Returns a form that is collapsed at first. */
const createCollapsible = (title, form) => make('details', {}, make('summary', {}, title), form);

/** Returns the part of a sheet that shows orders and payments, and takes orders, payments and refunds. */
export function createOrderSection(event, ids, onChange) {
	const facts = make('div', {});
	const forms = make('div', { class: 'folds' });
	const element = make('div', {}, facts, forms);
	let shownVersion;

	const finish = async (text, details) => {
		if (details) details.open = false;
		showToast(text, 'good');
		await onChange();
	};

	function show({ sale, total, paid, due, transactions }) {
		const createSumRow = (name, value) =>
			make('div', {}, make('dt', {}, name), make('dd', {}, value));
		const items = (sale?.items ?? []).map((item) =>
			createSumRow(
				`${item.Quantity} × ${item.RegistrationOptionName}`,
				formatMoney(item.Total, event.currency),
			),
		);
		const rows = sale
			? [
					...items,
					createSumRow('Total', formatMoney(total, event.currency)),
					createSumRow('Paid', formatMoney(paid, event.currency)),
					...(due === 0
						? []
						: [
								createSumRow(
									due > 0 ? 'Due' : 'Overpaid',
									formatMoney(Math.abs(due), event.currency),
								),
							]),
				]
			: [];
		facts.replaceChildren(
			sale ? make('dl', { class: 'sums' }, ...rows) : make('p', { class: 'none' }, 'No order yet.'),
			...(transactions.length > 0
				? [
						make(
							'ul',
							{ class: 'lines' },
							...transactions.map((transaction) =>
								make(
									'li',
									{},
									make('b', {}, transaction.TransactionType),
									make(
										'span',
										{},
										formatMoney(transaction.TransactionAmount, transaction.Currency),
									),
								),
							),
						),
					]
				: []),
		);
		// Forms are recreated only if their data has changed, so that no input is lost.
		const version = JSON.stringify([sale, paid, due]);
		if (version === shownVersion) return;
		shownVersion = version;
		forms.replaceChildren(...createForms({ sale, paid, due }));
	}

	function createForms({ sale, paid, due }) {
		const orderId = sale?.order.OrderId;
		const createAmountField = (maxAmount) => ({
			name: 'amount',
			label: `Amount in ${event.currency}`,
			type: 'number',
			isNumber: true,
			attributes: { min: '0.01', step: '0.01', max: String(maxAmount), inputmode: 'decimal' },
		});
		const order = createCollapsible(
			sale ? 'Change the Order' : 'Take an Order',
			createForm({
				fields: [
					...createOrderFields(event),
					{ name: 'later', label: 'Pay later', type: 'checkbox' },
				],
				values: readOrderValues(event, sale),
				submitLabel: sale ? 'Replace Order' : 'Take Order',
				onSubmit: async ({ later, ...values }) => {
					await runAction(service, 'order', {
						...ids,
						RegistrationOptions: toOptionsInput(event, values),
						...(later && { PaymentAmount: 0 }),
					});
					await finish('The order is taken', order);
				},
			}).form,
		);
		const createPaymentForm = (title, action, amount, text) => {
			const details = createCollapsible(
				title,
				createForm({
					fields: [createAmountField(amount), { name: 'memo', label: 'Note' }],
					values: { amount },
					submitLabel: title,
					onSubmit: async ({ memo, ...values }) => {
						const input = { eventId: event.id, orderId, ...values, ...(memo && { memo }) };
						await runAction(service, action, input);
						await finish(text, details);
					},
				}).form,
			);
			return details;
		};
		return [
			order,
			...(due > 0 ? [createPaymentForm('Take Payment', 'pay', due, 'The payment is booked')] : []),
			...(paid > 0 ? [createPaymentForm('Refund', 'refund', paid, 'The refund is booked')] : []),
		];
	}
	return { element, show };
}
