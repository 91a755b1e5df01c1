document.title = 'It runs';
