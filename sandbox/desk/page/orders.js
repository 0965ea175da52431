import { make } from '/common/dom.js';
import { toast } from '/common/shell.js';

import { act } from './api.js';
import { makeForm } from './fields.js';

const service = 'eventRegistration';

/** Formats an amount of money in the user's locale. */
const money = (amount, currency) =>
	new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(amount);

/** Returns the fields of an order: one choice for a group that allows one, and a quantity for each other option. */
function orderFields({ groups, currency }) {
	const priced = ({ name, price }) => `${name} (${money(price, currency)})`;
	return groups.flatMap((group) => {
		if (!group.multiple) {
			const options = group.options.map((option) => ({ value: option.id, label: priced(option) }));
			return [{ name: `group ${group.id}`, label: group.name, required: !group.optional, options }];
		}
		return group.options.flatMap((option) => [
			{
				name: `option ${option.id}`,
				label: `${group.name}: ${priced(option)}`,
				always: true,
				options: Array.from({ length: option.max + 1 }, (_, count) => String(count)),
			},
			...(option.question
				? [{ name: `info ${option.id}`, label: `${option.name}: ${option.question}` }]
				: []),
		]);
	});
}

/** Converts the chosen options into the API's input. */
function chosen({ groups }, values) {
	return groups.flatMap((group) => {
		const one = values[`group ${group.id}`];
		if (!group.multiple) return one ? [{ RegistrationOptionId: Number(one) }] : [];
		return group.options.flatMap(({ id }) => {
			const Quantity = Number(values[`option ${id}`]);
			const AdditionalInfo = values[`info ${id}`];
			if (Quantity === 0) return [];
			return [{ RegistrationOptionId: id, Quantity, ...(AdditionalInfo && { AdditionalInfo }) }];
		});
	});
}

/** Returns the current order as values of those fields. */
function currentValues({ groups }, sale) {
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
const folded = (title, form) => make('details', {}, make('summary', {}, title), form);

/** Returns the part of a sheet that shows orders and payments, and takes orders, payments and refunds. */
export function orderPart(event, ids, onDone) {
	const facts = make('div', {});
	const forms = make('div', { class: 'folds' });
	const element = make('div', {}, facts, forms);
	let shown;

	const done = async (text, details) => {
		if (details) details.open = false;
		toast(text, 'good');
		await onDone();
	};

	function show({ sale, total, paid, due, transactions }) {
		const line = (name, value) => make('div', {}, make('dt', {}, name), make('dd', {}, value));
		const items = (sale?.items ?? []).map((item) =>
			line(`${item.Quantity} × ${item.RegistrationOptionName}`, money(item.Total, event.currency)),
		);
		const rows = sale
			? [
					...items,
					line('Total', money(total, event.currency)),
					line('Paid', money(paid, event.currency)),
					...(due === 0
						? []
						: [line(due > 0 ? 'Due' : 'Overpaid', money(Math.abs(due), event.currency))]),
				]
			: [];
		facts.replaceChildren(
			sale ? make('dl', { class: 'sums' }, ...rows) : make('p', { class: 'none' }, 'No order yet.'),
			...(transactions.length > 0
				? [
						make(
							'ul',
							{ class: 'lines' },
							...transactions.map((one) =>
								make(
									'li',
									{},
									make('b', {}, one.TransactionType),
									make('span', {}, money(one.TransactionAmount, one.Currency)),
								),
							),
						),
					]
				: []),
		);
		// Forms are recreated only if their data has changed, so that no input is lost.
		const version = JSON.stringify([sale, paid, due]);
		if (version === shown) return;
		shown = version;
		forms.replaceChildren(...makeForms({ sale, paid, due }));
	}

	function makeForms({ sale, paid, due }) {
		const orderId = sale?.order.OrderId;
		const amountField = (most) => ({
			name: 'amount',
			label: `Amount in ${event.currency}`,
			type: 'number',
			number: true,
			more: { min: '0.01', step: '0.01', max: String(most), inputmode: 'decimal' },
		});
		const order = folded(
			sale ? 'Change the Order' : 'Take an Order',
			makeForm({
				fields: [...orderFields(event), { name: 'later', label: 'Pay later', type: 'checkbox' }],
				values: currentValues(event, sale),
				submit: sale ? 'Replace Order' : 'Take Order',
				onSubmit: async ({ later, ...values }) => {
					await act(service, 'order', {
						...ids,
						RegistrationOptions: chosen(event, values),
						...(later && { PaymentAmount: 0 }),
					});
					await done('The order is taken', order);
				},
			}).form,
		);
		const payment = (title, action, amount, text) => {
			const details = folded(
				title,
				makeForm({
					fields: [amountField(amount), { name: 'memo', label: 'Note' }],
					values: { amount },
					submit: title,
					onSubmit: async ({ memo, ...values }) => {
						const input = { eventId: event.id, orderId, ...values, ...(memo && { memo }) };
						await act(service, action, input);
						await done(text, details);
					},
				}).form,
			);
			return details;
		};
		return [
			order,
			...(due > 0 ? [payment('Take Payment', 'pay', due, 'The payment is booked')] : []),
			...(paid > 0 ? [payment('Refund', 'refund', paid, 'The refund is booked')] : []),
		];
	}
	return { element, show };
}
