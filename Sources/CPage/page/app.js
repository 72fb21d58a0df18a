document.title = 'Trip Ledger';
