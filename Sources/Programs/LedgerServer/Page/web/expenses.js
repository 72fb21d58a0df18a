// What was paid beside the distance: a list, in which each can be corrected, taken back, and brought back.

import { all, known, may, wordsOf } from './api.js';
import { ask } from './ask.js';
import { expenseForm, kindOf } from './byhand.js';
import { settle } from './decisions.js';
import { apart, choice, dialog, field, figures, h, put, table } from './dom.js';
import { count, money, moment, shortDay } from './formats.js';
import { t } from './texts.js';

/** So many are shown at once; more come at a press. */
const PAGE = 200;
const FILTERS = ['from', 'to', 'vehicle', 'trip'];

/** Sums in the order of their currencies: those of different ones cannot be added. */
function sumsOf(expenses) {
    const sums = new Map();
    for (const { amount, currency } of expenses) sums.set(currency, (sums.get(currency) ?? 0) + amount);
    return [...sums].sort().map(([currency, sum]) => money(sum, currency));
}

/** Shows the form that corrects an expense. */
async function correct(expense, onStored) {
    const form = await expenseForm({ expense, onStored: () => {
        shown.close();
        onStored();
    } });
    const shown = dialog(t('expenses.correct'), h('p', { class: 'faint' }, t('expenses.correcttext')), form,
        h('div', { class: 'buttons' },
            h('button', { type: 'button', onclick: () => shown.close() }, t('cancel'))));
}

/** Takes an expense back, if a reason is given. */
async function takeBack(expense, onStored) {
    const why = await ask({
        title: t('expenses.void'), action: t('expenses.void'), why: 'required', isDangerous: true,
        text: [`${shortDay(expense.day)}, ${kindOf(expense.kind)}, ${money(expense.amount, expense.currency)}`,
            t('expenses.voidtext')],
    });
    if (why === null) return;
    await settle({ type: 'expense_recorded', corrects_expense: expense.expense, void: true, notes: why }, onStored);
}

/** Says that an expense was one after all. */
const bringBack = ({ expense, kind, amount, currency }, onStored) =>
    settle({ type: 'expense_recorded', corrects_expense: expense, kind, amount, currency }, onStored);

function rowOf(expense, onStored) {
    const name = `${shortDay(expense.day)}, ${kindOf(expense.kind)}`;
    const amount = money(expense.amount, expense.currency);
    const act = (does, words, run) => h('button', {
        type: 'button', class: `quiet ${does}`, 'aria-label': `${words}: ${name}`,
        onclick: () => run(expense, onStored),
    }, words);
    return [
        h('span', { title: expense.paid_at ? moment(expense.paid_at) : null }, shortDay(expense.day)),
        kindOf(expense.kind),
        expense.void ? h('s', null, amount) : amount,
        expense.vehicle ? apart(expense.vehicle) : '–',
        expense.trip ? h('a', { href: `#/trip/${expense.trip}` }, t('nav.trip')) : '–',
        [expense.merchant, expense.notes].filter(Boolean).map(apart).join(' · ') || '–',
        may('admin', 'edit') && h('span', { class: 'buttons' }, expense.void
            ? act('restore', t('expenses.restore'), bringBack)
            : [act('correct', `${t('expenses.correct')}…`, correct), act('void', `${t('expenses.void')}…`, takeBack)]),
    ];
}

export async function show({ main, query, signal }) {
    const vehicles = await known('vehicles');
    if (signal.aborted) return;
    const trip = query.get('trip');
    const controls = {
        from: h('input', { type: 'date', value: query.get('from') ?? '' }),
        to: h('input', { type: 'date', value: query.get('to') ?? '' }),
        vehicle: choice([['', t('any')], ...vehicles.map((one) => [one.vehicle, one.vehicle])], query.get('vehicle')),
    };
    const voided = h('input', { type: 'checkbox', checked: query.has('voided') });
    const holder = h('div', { class: 'sheet' });
    let current = query;
    let most = PAGE;

    function draw(expenses) {
        const standing = expenses.filter((expense) => !expense.void);
        put(holder,
            h('p', { class: 'expense-sum', role: 'status' },
                [t('expenses.count', { n: standing.length }), ...sumsOf(standing)].join(' · ')),
            expenses.length > 0 && table(t('nav.expenses'),
                [t('add.day'), t('add.kind'), figures(t('add.amount')), t('vehicle'), t('nav.trip'),
                    t('expenses.what'), ''],
                expenses.slice(0, most).map((expense) => rowOf(expense, again))),
            expenses.length > most && h('div', { class: 'buttons' }, h('button', { type: 'button', onclick: () => {
                most += PAGE;
                draw(expenses);
            } }, `${t('more')} (${count(expenses.length - most)})`)));
    }

    /** Reads what the choices are about, and shows it. */
    async function read() {
        const asked = current;
        const chosen = Object.fromEntries(FILTERS.map((name) => [name, asked.get(name)]));
        const expenses = await all('/v1/expenses', { ...chosen, voided: asked.has('voided') ? 'yes' : null }, signal);
        if (!signal.aborted && asked === current) draw(expenses);
    }

    const again = () => read().catch((error) => {
        if (!signal.aborted) put(holder, h('p', { class: 'warning', role: 'alert' }, wordsOf(error)));
    });
    const apply = () => {
        current = new URLSearchParams(trip ? { trip } : {});
        for (const [name, { value }] of Object.entries(controls)) if (value) current.set(name, value);
        if (voided.checked) current.set('voided', '1');
        history.replaceState(null, '', `#/expenses${String(current) && `?${current}`}`);
        most = PAGE;
        return again();
    };
    main.append(
        trip ? h('p', null, h('a', { href: `#/trip/${trip}` }, t('expenses.oftrip'))) : '',
        h('form', { class: 'tools', onsubmit: (event) => event.preventDefault(), onchange: apply },
            h('div', { class: 'fields' },
                Object.entries(controls).map(([name, control]) => field(t(name), control)),
                h('label', { class: 'check' }, voided, t('expenses.voided')))),
        holder);
    if (may('admin', 'edit')) {
        const form = await expenseForm({ trip, onStored: again });
        if (signal.aborted) return;
        main.append(h('details', { class: 'by-hand expense' }, h('summary', null, t('add.expense')),
            form));
    }
    await read();
}
